// The picker of indicators, and the form of an indicator's inputs.
import { useEffect, useRef, useState, type SubmitEvent, type ReactNode } from 'react';
import { choicesOf, type Chip, type Listed, type Param, type Settings } from './payload';

const KINDS = { overlay: 'On the prices', panel: 'In a pane of their own', external: 'From other sources' } as const;

/** A dialog of the browser's own: it keeps the focus, and Escape closes it. */
export function Modal({ title, close, children, name }: { title: string; close: () => void; children: ReactNode; name: string }) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    element.current?.showModal();
    element.current?.querySelector<HTMLElement>('[data-first]')?.focus();
  }, []);
  return (
    <dialog
      ref={element}
      className="market__dialog"
      tabIndex={-1} // a click on its ground keeps the focus inside, and keys away from the page below
      aria-label={title}
      data-name={name}
      onCancel={(event) => {
        event.stopPropagation(); // only the innermost dialog
        event.preventDefault();
        close();
      }}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <div className="market__title">
        <h2>{title}</h2>
        <button type="button" className="button button--small" aria-label="Close" onClick={close}>×</button>
      </div>
      {children}
    </dialog>
  );
}

export function Picker({ listed, chips, add, close }: { listed: readonly Listed[]; chips: readonly Chip[]; add: (name: string) => void; close: () => void }) {
  const [text, setText] = useState('');
  const wanted = text.trim().toLowerCase();
  const found = listed.filter(({ name, description, aliases = [] }) => [name, name.replaceAll('_', ' '), description, ...aliases].some((one) => one.toLowerCase().includes(wanted)));
  return (
    <Modal title="Indicators" name="picker" close={close}>
      <input className="market__input" type="search" aria-label="Search indicators" placeholder="Search by name or description" value={text} data-first onChange={(event) => setText(event.target.value)} />
      <div className="market__found" tabIndex={0} role="region" aria-label="Found indicators">
        {Object.entries(KINDS).map(([kind, title]) => {
          const own = found.filter(({ type }) => type === kind);
          if (own.length === 0) return null;
          return (
            <section key={kind}>
              <h3>{title}</h3>
              <ul>
                {own.map(({ name, description }) => {
                  const count = chips.filter((chip) => chip.name === name).length;
                  return (
                    <li key={name}>
                      <button className="market__row" data-indicator={name} onClick={() => add(name)}>
                        <b>{name}</b>
                        <span>{description}</span>
                        <em>{count === 0 ? 'add' : `${count} on the chart`}</em>
                      </button>
                    </li>
                  );
                })}
              </ul>
            </section>
          );
        })}
        {found.length === 0 && <p>{listed.length === 0 ? 'The list is not loaded yet.' : 'No indicator has this name.'}</p>}
      </div>
    </Modal>
  );
}

export function InputsDialog({ chip, listed, save, close }: { chip: Chip; listed: Listed | undefined; save: (settings: Settings) => void; close: () => void }) {
  const params = listed?.configurable_params ?? [];
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    save(Object.fromEntries(params.flatMap((param) => {
      const value = valueOf(param, given.get(param.name));
      return value === null || value === param.default ? [] : [[param.name, value]];
    })));
  };
  return (
    <Modal title={`Inputs of ${chip.name}`} name="inputs" close={close}>
      {listed === undefined ? <p>The inputs are not known: the list of indicators is not loaded.</p> : params.length === 0 && <p>This indicator has no inputs.</p>}
      <form className="market__form" onSubmit={submit}>
        {params.map((param) => <Field key={param.name} param={param} value={chip.settings[param.name] ?? param.default} />)}
        <div className="market__buttons">
          <button type="button" className="button" onClick={() => save({})}>Defaults</button>
          <button className="button button--accent" disabled={listed === undefined}>Apply</button>
        </div>
      </form>
    </Modal>
  );
}

function Field({ param, value }: { param: Param; value: string | number | boolean | null }) {
  const choices = choicesOf(param);
  const { name, type, description = '' } = param;
  return (
    <label title={description}>
      {name.replaceAll('_', ' ')}
      {choices !== null ? (
        <select className="market__input" name={name} defaultValue={String(value)}>{choices.map((one) => <option key={one}>{one}</option>)}</select>
      ) : type === 'bool' ? (
        <input type="checkbox" name={name} defaultChecked={value === true} />
      ) : (
        <input className="market__input" name={name} defaultValue={value === null ? '' : String(value)} type={type === 'string' ? 'text' : 'number'} step={type === 'int' ? 1 : 'any'} required={type !== 'string'} />
      )}
    </label>
  );
}

function valueOf({ type }: Param, given: FormDataEntryValue | null): string | number | boolean | null {
  if (type === 'bool') return given !== null;
  if (typeof given !== 'string' || given === '') return null;
  return type === 'string' ? given : Number(given);
}
