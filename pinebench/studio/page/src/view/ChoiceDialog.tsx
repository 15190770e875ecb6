// A search field over a list; arrows move, Enter takes. Only an answer to the text that stands there is ever taken.
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { Frame, useClose } from './Frame';
import { Icon } from './icons';
import { RowPicture } from './RowPicture';

export interface Choice {
  key: string;
  name: string;
  detail: string;
  side: string;
  /** The address of its small picture. */
  picture?: string;
}

interface ChoiceProps {
  title: string;
  name: string;
  hint: string;
  /** Return the choices for a text. It must be the same function at every rendering. */
  find: (text: string) => Promise<readonly Choice[]>;
  nothing: ReactNode;
  /** The words below the list. */
  foot?: ReactNode;
  /** A picture of the choice at the cursor. */
  preview?: (choice: Choice) => ReactNode;
  choose: (key: string) => void;
  /** The choice of Enter if no entry fits. */
  fallback?: (text: string) => void;
  /** The first text of the field. */
  typed?: string;
}

interface Found {
  text: string | null;
  choices: readonly Choice[];
}

export function ChoiceDialog({ title, name, hint, find, nothing, foot, preview, choose, fallback, typed = '' }: ChoiceProps) {
  const close = useClose();
  const [text, setText] = useState(typed);
  const [found, setFound] = useState<Found>({ text: null, choices: [] });
  const [at, setAt] = useState(0);
  const entered = useRef(false);
  const current = found.text === text;
  const take = (choice: Choice | undefined) => {
    if (choice === undefined && (fallback === undefined || text.trim() === '')) return;
    close();
    if (choice === undefined) fallback?.(text.trim());
    else choose(choice.key);
  };
  useEffect(() => {
    let awaited = true;
    void find(text)
      .catch(() => [])
      .then((choices) => awaited && setFound({ text, choices }));
    return () => {
      awaited = false;
    };
  }, [find, text]);
  useEffect(() => {
    if (!current || !entered.current) return;
    entered.current = false; // Enter came before the answer
    take(found.choices[0]);
  });
  const keys = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown') setAt(Math.min(at + 1, found.choices.length - 1));
    else if (event.key === 'ArrowUp') setAt(Math.max(at - 1, 0));
    else if (event.key === 'Enter' && current) take(found.choices[at]);
    else if (event.key === 'Enter') entered.current = true;
    else return;
    event.preventDefault();
  };
  const shown = current ? at : -1;
  return (
    <Frame title={title} name={name} close={close} wide>
      <div className="search">
        <Icon name="search" size={16} />
        <input
          value={text}
          placeholder={hint}
          data-role="search"
          spellCheck={false}
          role="combobox"
          aria-label={hint}
          aria-autocomplete="list"
          aria-expanded="true"
          aria-controls="choices"
          aria-activedescendant={found.choices[shown] === undefined ? undefined : `choice-${shown}`}
          onChange={(event) => {
            setText(event.target.value);
            setAt(0);
            entered.current = false;
          }}
          onKeyDown={keys}
        />
      </div>
      {current && found.choices.length === 0 && <div className="choices__nothing">{nothing}</div>}
      <div className="choices" role="listbox" id="choices" aria-label={title} aria-busy={!current}>
        {found.choices.map((choice, i) => (
          <div
            key={choice.key}
            id={`choice-${i}`}
            role="option"
            data-role="list-item"
            data-title={choice.name}
            data-id={choice.key}
            aria-selected={i === shown}
            className={i === shown ? 'choice choice--at' : 'choice'}
            ref={i === shown ? (node) => node?.scrollIntoView({ block: 'nearest' }) : undefined}
            onPointerMove={() => setAt(i)}
            onClick={() => take(choice)}
          >
            {choice.picture !== undefined && <RowPicture address={choice.picture} />}
            <b>{choice.name}</b>
            <span>{choice.detail}</span>
            <small>{choice.side}</small>
          </div>
        ))}
      </div>
      {preview !== undefined && found.choices[shown] !== undefined && preview(found.choices[shown])}
      {foot}
    </Frame>
  );
}
