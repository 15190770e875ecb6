// The assistant's panel: what was said, a timeline of the tools that Claude called, and pictures among them.
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import type { Call, Entry, Question } from '../model/assistant';
import { useWatched } from '../watched';
import { useWorkspace } from './context';

const QUICK = ['Analyse my chart', 'Explain the script in the editor', 'Does it repaint?'];

export function AssistantPanel() {
  const { assistant } = useWorkspace();
  const entries = useWatched(assistant.entries);
  const link = useWatched(assistant.link);
  const writing = useWatched(assistant.writing);
  const dollars = useWatched(assistant.dollars);
  const earlier = useWatched(assistant.earlier);
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => assistant.connect(), [assistant]);
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'end' }); // returns a promise in newer browsers, so it is not returned
  }, [entries]);
  return (
    <div className="watchlist widgetbar-widget assistant" data-name="assistant-panel">
      <div className="watchlist__head">
        <b>Assistant</b>
        {dollars > 0 && <span className="tag">{`about $${dollars.toFixed(3)}`}</span>}
        <button className="button" disabled={link !== 'open' || writing} onClick={() => assistant.clear()}>
          Clear
        </button>
      </div>
      <div className="assistant__entries" role="log" aria-label="Conversation" tabIndex={0}>
        {entries.length === 0 && (
          <p className="alerts__none">
            Claude reads this chart and its scripts with pinebench’s tools. What you say and what the tools read is sent to Anthropic.
          </p>
        )}
        {entries.map((entry, at) => (
          <EntryView key={at} entry={entry} />
        ))}
        <div ref={end} />
      </div>
      {link === 'lost' && (
        <p className="assistant__error" role="status">
          The assistant cannot be reached. It needs the extra ‘ai’, and a studio that runs.{' '}
          <button className="button" onClick={() => assistant.connect()}>
            Try again
          </button>
        </p>
      )}
      {entries.length === 0 && (
        <div className="assistant__quick">
          {earlier !== '' && (
            <button className="button" data-name="assistant-go-on" disabled={link !== 'open'} onClick={() => assistant.goOn()}>
              Resume the last conversation
            </button>
          )}
          {QUICK.map((words) => (
            <button key={words} className="button" disabled={link !== 'open'} onClick={() => assistant.say(words)}>
              {words}
            </button>
          ))}
        </div>
      )}
      <Composer ready={link === 'open'} writing={writing} />
    </div>
  );
}

/** The field for a message; enter sends it, and shift with enter begins a line. */
function Composer({ ready, writing }: { ready: boolean; writing: boolean }) {
  const { assistant } = useWorkspace();
  const [text, setText] = useState('');
  const send = () => {
    if (!ready || writing || text.trim() === '') return;
    assistant.say(text);
    setText('');
  };
  const key = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <div className="assistant__composer">
      <textarea
        data-name="assistant-input"
        aria-label="Message to the assistant"
        placeholder="Ask about the chart or a script"
        rows={2}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={key}
      />
      {writing ? (
        <button className="button" data-name="assistant-stop" onClick={() => assistant.stop()}>
          Stop
        </button>
      ) : (
        <button className="button" data-name="assistant-send" disabled={!ready || text.trim() === ''} onClick={send}>
          Send
        </button>
      )}
    </div>
  );
}

function EntryView({ entry }: { entry: Entry }) {
  switch (entry.kind) {
    case 'call':
      return <CallView call={entry} />;
    case 'question':
      return <QuestionView question={entry} />;
    case 'picture':
      return <img className="assistant__picture" alt="The chart" src={sourceOf(entry.picture)} />;
    default:
      return <Spoken kind={entry.kind} text={entry.text} />;
  }
}

/** Words, in which fenced parts are code. */
function Spoken({ kind, text }: { kind: string; text: string }) {
  const parts = text.split(/^```.*$\n?/m);
  return (
    <div className={`assistant__words assistant__words--${kind}`}>
      {parts.map((part, at) => (at % 2 === 1 ? <pre key={at}>{part}</pre> : part.trim() !== '' && <p key={at}>{part.trim()}</p>))}
    </div>
  );
}

const MARKS = { running: '…', done: '✓', failed: '✗' };

function CallView({ call }: { call: Call }) {
  return (
    <div className={`assistant__call assistant__call--${call.state}`} data-name="assistant-call">
      <span aria-label={call.state}>{MARKS[call.state]}</span> <b>{call.name}</b> {call.input}
      {call.told !== '' && <p>{call.told}</p>}
      {call.images.map((picture, at) => (
        <img key={at} className="assistant__picture" alt={`Picture of ${call.name}`} src={sourceOf(picture)} />
      ))}
    </div>
  );
}

function QuestionView({ question }: { question: Question }) {
  const { assistant } = useWorkspace();
  return (
    <div className="assistant__question" data-name="assistant-question" role="group" aria-label="A call needs your consent">
      <p>
        Claude wants to call <b>{question.name}</b>: {question.reason}.
      </p>
      <p className="assistant__input">{question.input}</p>
      {question.allowed === null ? (
        <>
          <button className="button" data-name="assistant-allow" onClick={() => assistant.answer(question.id, true)}>
            Allow
          </button>{' '}
          <button className="button" data-name="assistant-refuse" onClick={() => assistant.answer(question.id, false)}>
            Refuse
          </button>
        </>
      ) : (
        <p>{question.allowed ? 'You allowed it.' : 'You refused it.'}</p>
      )}
    </div>
  );
}

const sourceOf = (picture: { data: string; mimeType: string }): string => `data:${picture.mimeType};base64,${picture.data}`;
