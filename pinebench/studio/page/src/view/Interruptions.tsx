// What can lie over the whole page: the cookie question and a session that was taken over.
import { useRef } from 'react';
import { faults } from '../faults';
import { connection } from '../model/connection';
import { useWatched } from '../watched';
import { useWorkspace } from './context';
import { useModal } from './Frame';
import { useFaults } from './useFaults';

function Disconnected() {
  const root = useRef<HTMLDivElement>(null);
  useModal(root);
  return (
    <div className="veil veil--session" data-name="session-disconnected">
      <div className="dialog" role="alertdialog" aria-modal="true" aria-label="Session disconnected" ref={root}>
        <div className="dialog__title">
          <b>Session disconnected</b>
        </div>
        <p>Your session ended because your account was opened in another browser or on another device.</p>
        <div className="dialog__buttons">
          <button
            className="button button--accent"
            onClick={() => {
              faults.sessionDisconnected = false;
            }}
          >
            Connect
          </button>
        </div>
      </div>
    </div>
  );
}

/** Shows that the studio's server does not answer, as long as this is so. */
function Gone() {
  const state = useWatched(connection);
  if (state === 'there') return null;
  return (
    <div className="gone" role="alert" data-name="connection-lost">
      <b>{state === 'gone' ? 'The studio does not answer.' : 'The studio was restarted.'}</b>{' '}
      {state === 'gone'
        ? 'Nothing is checked, run or saved until it does. What you type stays in this tab. If it has ended, start "pinebench studio" again.'
        : 'Open the address that it printed. Copy your unsaved text there first: this tab still has it.'}
    </div>
  );
}

const QUESTIONS = {
  'sign-in': { title: 'Sign in', text: 'Sign in to go on with this chart.', button: 'Sign in' },
  replay: { title: 'Bar replay', text: 'Continue your last replay?', button: 'Continue' },
};

function Question({ kind }: { kind: keyof typeof QUESTIONS }) {
  const root = useRef<HTMLDivElement>(null);
  useModal(root);
  const { title, text, button } = QUESTIONS[kind];
  return (
    <div className="veil">
      <div className="dialog" role="dialog" aria-modal="true" aria-label={title} ref={root}>
        <p>{text}</p>
        <div className="dialog__buttons">
          <button
            className="button button--accent"
            onClick={() => {
              faults.question = '';
            }}
          >
            {button}
          </button>
        </div>
      </div>
    </div>
  );
}

export function Interruptions() {
  const { disconnected, cookieQuestion } = useWorkspace();
  useFaults();
  return (
    <>
      <Gone />
      {useWatched(disconnected) && <Disconnected />}
      {faults.question !== '' && <Question kind={faults.question} />}
      {useWatched(cookieQuestion) && (
        <div className="cookies" role="region" aria-label="Cookies policy" data-name="cookie-banner">
          <p>This site keeps a few things on your machine to work, and would like to keep a few more.</p>
          <button
            className="button"
            onClick={() => {
              faults.cookieBanner = false;
            }}
          >
            Manage preferences
          </button>
          <button
            className="button button--accent"
            onClick={() => {
              faults.cookieBanner = false;
            }}
          >
            Accept all
          </button>
        </div>
      )}
    </>
  );
}
