// Every dialog of the page; one at a time.
import { useEffect, useRef, useState, type ReactNode, type SubmitEvent } from 'react';
import { StudyLimitReached } from '../model/chart';
import { INDICATORS } from '../model/indicators';
import type { Dialog } from '../model/workspace';
import { server, type SavedScript, type SymbolInfo } from '../server';
import { useWatched } from '../watched';
import { useWorkspace } from './context';
import { Icon } from './icons';

export function Dialogs() {
  const { dialog } = useWorkspace();
  const current = useWatched(dialog);
  return current === null ? null : <Chosen key={current.kind} current={current} />;
}

function Chosen({ current }: { current: Dialog }) {
  const workspace = useWorkspace();
  const close = () => workspace.dialog.setValue(null);
  switch (current.kind) {
    case 'symbol':
      return <SymbolDialog title="Change symbol" choose={(symbol) => void workspace.active.value().setSymbol(symbol)} />;
    case 'addSymbol':
      return <SymbolDialog title="Add symbol" choose={(symbol) => workspace.addToWatchlist(symbol)} />;
    case 'indicators':
      return <IndicatorsDialog />;
    case 'open':
      return <OpenDialog />;
    case 'name':
      return <NameDialog {...current} />;
    case 'unsaved':
      return (
        <Question
          title="Unsaved changes"
          text="The open script has changes that are not saved. Opening another one loses them."
          yes="Open anyway"
          answer={current.answer}
        />
      );
    case 'externalData':
      return (
        <Question
          title="This script uses external data"
          text="Part of what it shows comes from elsewhere. Add it to the chart?"
          yes="Continue"
          answer={current.answer}
        />
      );
    case 'studyLimit':
      return (
        <Frame title="Indicator limit reached" name="upgrade-dialog" close={close}>
          <p>You cannot add more: {current.text}. Remove one, or choose a larger plan.</p>
          <div className="dialog__buttons">
            <button className="button" onClick={close}>
              Close
            </button>
          </div>
        </Frame>
      );
    case 'signIn':
      return (
        <Frame title="Sign in" name="sign-in-dialog" close={close}>
          <p>Saving scripts needs an account. Sign in and try again.</p>
          <div className="dialog__buttons">
            <button className="button" onClick={close}>
              Not now
            </button>
          </div>
        </Frame>
      );
  }
}

interface FrameProps {
  title: string;
  name: string;
  close: () => void;
  wide?: boolean;
  children: ReactNode;
}

function Frame({ title, name, close, wide = false, children }: FrameProps) {
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    root.current?.querySelector<HTMLElement>('input, .button--accent')?.focus();
    const escape = (event: KeyboardEvent) => {
      if (event.key === 'Escape') close();
    };
    document.addEventListener('keydown', escape);
    return () => document.removeEventListener('keydown', escape);
  }, [close]);
  return (
    <div className="veil" onPointerDown={(event) => event.target === event.currentTarget && close()}>
      <div className={wide ? 'dialog dialog__wide' : 'dialog'} role="dialog" aria-modal="true" aria-label={title} data-name={name} ref={root}>
        <div className="dialog__title">
          <b>{title}</b>
          <button className="button button--square button--small" aria-label="Close" onClick={close}>
            <Icon name="close" size={15} />
          </button>
        </div>
        {children}
      </div>
    </div>
  );
}

function useClose(): () => void {
  const { dialog } = useWorkspace();
  const close = useRef(() => dialog.setValue(null));
  return close.current;
}

interface QuestionProps {
  title: string;
  text: string;
  yes: string;
  answer: (yes: boolean) => void;
}

function Question({ title, text, yes, answer }: QuestionProps) {
  const { dialog } = useWorkspace();
  const choose = (chosen: boolean) => {
    dialog.setValue(null);
    answer(chosen);
  };
  const refuse = useRef(() => choose(false)).current;
  return (
    <Frame title={title} name="confirm-dialog" close={refuse}>
      <p>{text}</p>
      <div className="dialog__buttons">
        <button className="button" name="cancel" onClick={refuse}>
          Cancel
        </button>
        <button className="button button--accent" name="yes" onClick={() => choose(true)}>
          {yes}
        </button>
      </div>
    </Frame>
  );
}

function NameDialog({ title, value, done }: { title: string; value: string; done: (name: string) => Promise<void> }) {
  const close = useClose();
  const [name, setName] = useState(value);
  const [problem, setProblem] = useState('');
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    try {
      await done(name.trim());
      close();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <Frame title={title} name="save-script-dialog" close={close}>
      <form onSubmit={(event) => void submit(event)}>
        <label className="field">
          <span>Script name</span>
          <input value={name} onChange={(event) => setName(event.target.value)} maxLength={200} spellCheck={false} />
        </label>
        {problem !== '' && <p className="dialog__problem">{problem}</p>}
        <div className="dialog__buttons">
          <button className="button" type="button" onClick={close}>
            Cancel
          </button>
          <button className="button button--accent" type="submit" disabled={name.trim() === ''}>
            Save
          </button>
        </div>
      </form>
    </Frame>
  );
}

interface Choice {
  key: string;
  name: string;
  detail: string;
  side: string;
}

interface ChoiceProps {
  title: string;
  name: string;
  hint: string;
  choices: readonly Choice[];
  nothing: string;
  choose: (key: string) => void;
  typed?: (text: string) => void;
  /** What Enter takes when nothing matches. */
  fallback?: (text: string) => void;
}

/** A search field over a list; arrows move, Enter takes. */
function ChoiceDialog({ title, name, hint, choices, nothing, choose, typed, fallback }: ChoiceProps) {
  const close = useClose();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const shown =
    typed === undefined ? choices.filter((choice) => `${choice.name} ${choice.detail}`.toLowerCase().includes(text.trim().toLowerCase())) : choices;
  const take = (choice: Choice | undefined) => {
    if (choice === undefined && fallback === undefined) return;
    close();
    if (choice === undefined) fallback?.(text);
    else choose(choice.key);
  };
  return (
    <Frame title={title} name={name} close={close} wide>
      <div className="search">
        <Icon name="search" size={16} />
        <input
          value={text}
          placeholder={hint}
          spellCheck={false}
          onChange={(event) => {
            setText(event.target.value);
            setAt(0);
            typed?.(event.target.value);
          }}
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown') setAt(Math.min(at + 1, shown.length - 1));
            else if (event.key === 'ArrowUp') setAt(Math.max(at - 1, 0));
            else if (event.key === 'Enter') take(shown[at]);
            else return;
            event.preventDefault();
          }}
        />
      </div>
      <div className="choices" role="listbox">
        {shown.length === 0 && <p className="choices__nothing">{nothing}</p>}
        {shown.map((choice, i) => (
          <div
            key={choice.key}
            role="option"
            aria-selected={i === at}
            className={i === at ? 'choice choice--at' : 'choice'}
            onPointerMove={() => setAt(i)}
            onClick={() => take(choice)}
          >
            <b>{choice.name}</b>
            <span>{choice.detail}</span>
            <small>{choice.side}</small>
          </div>
        ))}
      </div>
    </Frame>
  );
}

function SymbolDialog({ title, choose }: { title: string; choose: (symbol: string) => void }) {
  const [found, setFound] = useState<readonly SymbolInfo[]>([]);
  const [text, setText] = useState('');
  useEffect(() => {
    let current = true;
    void server.symbols(text).then(
      (symbols) => current && setFound(symbols),
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, [text]);
  return (
    <ChoiceDialog
      title={title}
      name="symbol-search-items-dialog"
      hint="Symbol or name"
      nothing="No sample symbol matches; press Enter to ask for it anyway."
      choices={found.map((s) => ({ key: s.full_name, name: s.symbol, detail: s.description, side: `${s.exchange} · ${s.type}` }))}
      typed={setText}
      fallback={(typed) => typed.trim() !== '' && choose(typed.trim().toUpperCase())}
      choose={choose}
    />
  );
}

function IndicatorsDialog() {
  const workspace = useWorkspace();
  return (
    <ChoiceDialog
      title="Indicators"
      name="indicators-dialog"
      hint="Search"
      nothing="No indicator matches."
      choices={INDICATORS.map(({ name, shortName }) => ({ key: name, name, detail: '', side: shortName }))}
      choose={(name) => {
        try {
          workspace.active.value().addIndicator(name, {});
        } catch (error) {
          if (!(error instanceof StudyLimitReached)) throw error;
          workspace.dialog.setValue({ kind: 'studyLimit', text: error.message });
        }
      }}
    />
  );
}

function OpenDialog() {
  const { pine } = useWorkspace();
  const [scripts, setScripts] = useState<readonly SavedScript[]>([]);
  useEffect(() => {
    void pine.listScripts().then(setScripts);
  }, [pine]);
  return (
    <ChoiceDialog
      title="Open script"
      name="open-script-dialog"
      hint="Search"
      nothing="No saved script matches."
      choices={scripts.map((script) => ({
        key: script.scriptIdPart,
        name: script.scriptName,
        detail: script.kind,
        side: `version ${script.version} · ${new Date(script.modified * 1000).toISOString().slice(0, 10)}`,
      }))}
      choose={(id) => void pine.open(id).catch(pine.complain)}
    />
  );
}
