// Every dialog of the page; one at a time.
import type { Dialog } from '../model/workspace';
import { useWatched } from '../watched';
import { AlertDialog, DeleteAlertsDialog } from './AlertParts';
import { DraftsDialog, IndicatorsDialog, ScriptsDialog, SymbolDialog, VersionsDialog } from './chooseDialogs';
import { ChartDialog } from './ChartDialog';
import { CompareDialog } from './CompareDialog';
import { useWorkspace } from './context';
import { KEYS } from '../keyboard';
import { GoToDialog, IntervalDialog, NameDialog } from './formDialogs';
import { StudyDialog } from './StudyDialog';
import { Frame, Question, useClose } from './Frame';

export function Dialogs() {
  const { dialog } = useWorkspace();
  const current = useWatched(dialog);
  return current === null ? null : <Chosen key={current.kind} current={current} />;
}

function Chosen({ current }: { current: Dialog }) {
  const workspace = useWorkspace();
  const { pine } = workspace;
  switch (current.kind) {
    case 'symbol':
      return (
        <SymbolDialog
          title="Change symbol"
          typed={current.typed}
          choose={(symbol) => void workspace.active.value().setSymbol(symbol)}
          lenient
        />
      );
    case 'addSymbol':
      return <SymbolDialog title="Add symbol" choose={(symbol) => workspace.watchlist.add(symbol)} />;
    case 'alert':
      return <AlertDialog asked={current} />;
    case 'compare':
      return <CompareDialog />;
    case 'deleteAlerts':
      return <DeleteAlertsDialog />;
    case 'interval':
      return <IntervalDialog typed={current.typed} />;
    case 'indicators':
      return <IndicatorsDialog />;
    case 'study':
      return <StudyDialog chart={current.chart} study={current.study} />;
    case 'chart':
      return <ChartDialog chart={current.chart} />;
    case 'differences':
      return <DifferencesDialog name={current.name} told={current.told} />;
    case 'open':
      return (
        <ScriptsDialog
          title="Open script"
          name="open-script-dialog"
          choose={(script) => void pine.open(script.scriptIdPart).catch(pine.complain)}
        />
      );
    case 'deleteScript':
      return (
        <ScriptsDialog title="Delete a script" name="delete-script-dialog" choose={(script) => void pine.delete(script).catch(pine.complain)} />
      );
    case 'versions':
      return <VersionsDialog script={current.script} />;
    case 'drafts':
      return <DraftsDialog />;
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
    case 'unsavedLayout':
      return (
        <Question
          title="Unsaved changes"
          text={`The layout "${current.layout.name}" has changes that are not saved. Opening another one loses them.`}
          yes="Open anyway"
          answer={current.answer}
        />
      );
    case 'overtakenLayout':
      return (
        <Question
          title="Saved elsewhere too"
          text={`The layout "${current.layout.name}" was saved by another page since you opened it. Saving yours replaces its charts and drawings.`}
          yes="Replace it"
          answer={current.answer}
        />
      );
    case 'delete':
      return (
        <Question
          title="Delete script"
          text={`"${current.script.scriptName}" and all its versions are deleted. This cannot be undone.`}
          yes="Delete"
          answer={current.answer}
        />
      );
    case 'goTo':
      return <GoToDialog />;
    case 'keys':
      return <KeysDialog />;
    case 'overtaken':
      return <Overtaken name={current.name} reason={current.reason} />;
    case 'externalData':
      return (
        <Question
          title="This script uses external data"
          text="It shows data that is not from the chart. Add it to the chart?"
          yes="Continue"
          answer={current.answer}
        />
      );
    case 'studyLimit':
      return (
        <Notice
          title="Indicator limit reached"
          name="upgrade-dialog"
          text={`You cannot add more: ${current.text}. Remove one, or choose a larger plan.`}
          close="Close"
        />
      );
    case 'signIn':
      return <Notice title="Sign in" name="sign-in-dialog" text="Saving scripts needs an account. Sign in and try again." close="Not now" />;
  }
}

function KeysDialog() {
  const close = useClose();
  return (
    <Frame title="Keys" name="keys-dialog" close={close}>
      <dl className="keys">
        {KEYS.map(([keys, does]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Frame>
  );
}

/** The question what to do with two texts of one script; no answer loses either of them. */
function Overtaken({ name, reason }: { name: string; reason: string }) {
  const { pine } = useWorkspace();
  const close = useClose();
  const choose = (action: () => void) => {
    close();
    action();
  };
  return (
    <Frame title="Saved elsewhere too" name="overtaken-dialog" close={close}>
      <p>
        Of &quot;{name}&quot; {reason}. Your text comes from an older one, and knows nothing of it. Saved as the newest version, yours takes its
        place; the other one stays in the list of versions.
      </p>
      <div className="dialog__buttons">
        <button className="button" name="cancel" data-first onClick={close}>
          Cancel
        </button>
        <button className="button" name="copy" onClick={() => choose(() => pine.askCopyName())}>
          Save as a copy…
        </button>
        <button className="button button--accent" name="yes" onClick={() => choose(() => void pine.saveOver())}>
          Save as newest
        </button>
      </div>
    </Frame>
  );
}

function Notice({ title, name, text, close }: { title: string; name: string; text: string; close: string }) {
  const done = useClose();
  return (
    <Frame title={title} name={name} close={done}>
      <p>{text}</p>
      <div className="dialog__buttons">
        <button className="button" data-first onClick={done}>
          {close}
        </button>
      </div>
    </Frame>
  );
}

/** The parts of a script that are shown differently from TradingView. */
function DifferencesDialog({ name, told }: { name: string; told: readonly string[] }) {
  return (
    <Frame title={`${name}: different from TradingView`} name="differences-dialog" close={useClose()}>
      <ul className="dialog__told">
        {told.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </Frame>
  );
}
