// The Pine editor's panel: script name and buttons above, text and console side by side, counts below.
import { useEffect, useRef, type KeyboardEvent } from 'react';
import { faults } from '../faults';
import { monaco } from '../editor/monaco';
import type { ConsoleRow } from '../model/pine';
import { inlineValues } from '../model/preferences';
import { useWatched } from '../watched';
import { useWorkspace } from './context';
import { EditorHost } from './EditorHost';
import { Icon } from './icons';
import { useFaults } from './useFaults';
import { labels } from './labels';
import { Menu } from './Menu';

export function PineEditor() {
  return (
    <section className={faults.plainMonaco ? 'editorPanel' : 'pine-editor-container tv-script-widget'}>
      <Toolbar />
      <div className="pine-editor__work">
        <EditorHost />
        <Console />
      </div>
      <StatusLine />
    </section>
  );
}

function Toolbar() {
  const { pine, dialog } = useWorkspace();
  const script = useWatched(pine.script);
  const changed = useWatched(pine.changed);
  const left = useWatched(pine.leftBehind);
  const builtIn = useWatched(pine.builtIn);
  return (
    <div className="pine-editor__toolbar" data-name="pine-editor-toolbar">
      <Menu
        name="pine-script-menu"
        title="Script"
        className="button button--script"
        label={
          <>
            <b data-name="pine-script-name">{script?.scriptName ?? builtIn ?? 'Untitled script'}</b>
            {builtIn !== null && <small>built-in, read-only</small>}
            {script !== null && <small>version {script.version}</small>}
            {changed && <small className="unsaved">unsaved</small>}
          </>
        }
        items={[
          { label: 'New indicator', choose: () => void pine.startNew('indicator') },
          { label: 'New strategy', choose: () => void pine.startNew('strategy') },
          { label: 'New library', choose: () => void pine.startNew('library') },
          'line',
          { label: 'Open…', detail: 'Ctrl+O', choose: () => dialog.setValue({ kind: 'open' }) },
          { label: 'Save', detail: 'Ctrl+S', choose: () => void pine.save() },
          { label: 'Make a copy…', choose: () => pine.askCopyName() },
          ...(script === null ? [] : [{ label: 'Rename…', choose: () => pine.askNewName() }]),
          'line',
          ...(script === null ? [] : [{ label: 'Version history…', choose: () => dialog.setValue({ kind: 'versions', script }) }]),
          { label: 'Delete a script…', choose: () => dialog.setValue({ kind: 'deleteScript' }) },
          ...(left === 0 ? [] : [{ label: 'Recover text…', detail: String(left), choose: () => dialog.setValue({ kind: 'drafts' }) }]),
        ]}
      />
      {left > 0 && (
        <button className="button" title="Texts that were closed without being saved" onClick={() => dialog.setValue({ kind: 'drafts' })}>
          Recover text ({left})
        </button>
      )}
      {builtIn !== null && (
        <button className="button" data-name="copy-built-in" onClick={() => pine.copyBuiltIn()}>
          <Icon name="copy" size={14} /> Make a copy
        </button>
      )}
      <span className="grow" />
      <ValuesButton />
      <CompileButton />
      <SaveButton />
    </div>
  );
}

/** Values at the ends of the lines, on or off. */
function ValuesButton() {
  const on = useWatched(inlineValues);
  return (
    <button
      className="button"
      data-name="inline-values"
      aria-pressed={on}
      title="Show the values of the bar under the crosshair at the ends of the lines"
      onClick={() => inlineValues.setValue(!on)}
    >
      <Icon name="eye" size={14} /> Values
    </button>
  );
}

function CompileButton() {
  const { pine } = useWorkspace();
  const busy = useWatched(pine.busy);
  const onChart = useWatched(pine.onChart);
  useFaults();
  const text = onChart ? labels().update : labels().add;
  const shared = { title: `${text} (Ctrl+Enter)`, onClick: () => void pine.compile(true) };
  return (
    <>
      {faults.buttonCopies && (
        <>
          <button className="button" style={{ display: 'none' }}>
            {text}
          </button>
          <button className="button" disabled>
            {text}
          </button>
        </>
      )}
      {faults.iconOnly ? (
        <button className="button button--square noContent-Kq3Rz" aria-label={text} data-tooltip={text} disabled={busy} {...shared}>
          <Icon name="play" size={15} />
        </button>
      ) : (
        <button className="button button--accent" data-name="add-script-to-chart" disabled={busy} {...shared}>
          <Icon name="play" size={13} />
          <span>{text}</span>
        </button>
      )}
    </>
  );
}

function SaveButton() {
  const { pine } = useWorkspace();
  const changed = useWatched(pine.changed);
  const script = useWatched(pine.script);
  useFaults();
  const text = labels().save;
  const fresh = changed || script === null;
  return (
    <button
      className={fresh ? 'button saveButton-Xo0Jb saveButton-Xo0Jb--fresh' : 'button saveButton-Xo0Jb'}
      title={`${text} (Ctrl+S)`}
      aria-label={faults.iconOnly ? text : undefined}
      onClick={() => void pine.save()}
    >
      {faults.iconOnly ? <Icon name="save" size={15} /> : <span>{text}</span>}
    </button>
  );
}

function Console() {
  const { pine } = useWorkspace();
  const rows = useWatched(pine.rows);
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'nearest' }); // newer browsers return a promise, which is no clean-up
  }, [rows]);
  return (
    <div className="console" data-name="pine-console">
      <div className="console__head">
        <b>Console</b>
        <button
          className="button button--square button--small"
          title="Clear the console"
          aria-label="Clear the console"
          onClick={() => pine.clearConsole()}
        >
          <Icon name="trash" size={14} />
        </button>
      </div>
      <div className="console__rows" role="log" aria-label="Console" tabIndex={0}>
        {rows.length === 0 && <p className="console__empty">Messages of the compiler appear here.</p>}
        {rows.map((row) => (
          <Row key={row.key} row={row} />
        ))}
        <div ref={end} />
      </div>
    </div>
  );
}

function Row({ row }: { row: ConsoleRow }) {
  const { pine } = useWorkspace();
  const { line, column } = row;
  const jump = line === undefined ? undefined : () => pine.reveal(line, column ?? 1);
  return (
    <div
      className={`consoleRow consoleRow--${row.kind}${jump === undefined ? '' : ' consoleRow--link'}`}
      onClick={jump}
      {...(jump === undefined ? {} : { role: 'button', tabIndex: 0, title: 'Go there', onKeyDown: onEnter(jump) })}
    >
      <time>{row.time}</time> <span>{row.text}</span>
    </div>
  );
}

const onEnter = (action: () => void) => (event: KeyboardEvent) => {
  if (event.key !== 'Enter' && event.key !== ' ') return;
  event.preventDefault();
  action();
};

function StatusLine() {
  const { pine } = useWorkspace();
  const { errors, warnings } = useWatched(pine.counts);
  const checked = useWatched(pine.checked);
  const cursor = useWatched(pine.cursor);
  const next = () => {
    const first = monaco.editor.getModelMarkers({ resource: pine.model.uri })[0];
    if (first !== undefined) pine.reveal(first.startLineNumber, first.startColumn);
  };
  return (
    <div className="statusline">
      {!checked && (
        <span className="statusline__unchecked" role="status" data-name="not-checked">
          <Icon name="warning" size={13} /> Not checked: the studio does not answer
        </span>
      )}
      <button hidden={!checked} className={errors > 0 ? 'statusline__count has-error' : 'statusline__count'} onClick={next} title="Go to the first finding" aria-label={`${errors} errors`}>
        <Icon name="error" size={13} /> {errors}
      </button>
      <button
        hidden={!checked}
        className={warnings > 0 ? 'statusline__count has-warning' : 'statusline__count'}
        onClick={next}
        title="Go to the first finding"
        aria-label={`${warnings} warnings`}
      >
        <Icon name="warning" size={13} /> {warnings}
      </button>
      <span className="grow" />
      <span>
        Line {cursor.line}, column {cursor.column}
      </span>
      <span>Pine Script® v6</span>
    </div>
  );
}
