// The Pine logs: what the scripts on the active chart wrote with log.info, log.warning and log.error, with the bars' times.
import { useEffect, useRef, useState } from 'react';
import { logsOf, timeText, type LogLine } from '../model/logs';
import { useWatched } from '../watched';
import { useWorkspace } from './context';

const LEVELS = ['all', 'info', 'warning', 'error'] as const;

/** The number of lines that are shown; they are the newest. */
const MOST_LINES = 1000;

export function PineLogs() {
  const workspace = useWorkspace();
  const { active, pine } = workspace;
  const chart = useWatched(active);
  const studies = useWatched(chart.studies);
  const [, again] = useState(0);
  const [level, setLevel] = useState<(typeof LEVELS)[number]>('all');
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const forget = studies.map((study) => study.result.subscribe(() => again((count) => count + 1)));
    return () => forget.forEach((stop) => stop());
  }, [studies]);
  /** Open the editor at a line, as soon as it exists. */
  const reveal = (line: number) => {
    workspace.openEditor();
    const go = () => (pine.editor === null ? requestAnimationFrame(go) : pine.reveal(line, 1));
    requestAnimationFrame(go);
  };
  const lines = studies.flatMap(logsOf).filter((line) => level === 'all' || line.level === level);
  const shown = lines.sort((a, b) => a.time - b.time).slice(-MOST_LINES);
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'nearest' });
  }, [shown.length]);
  return (
    <div className="pineLogs" data-name="pine-logs">
      <div className="console__head">
        <b>Pine Logs</b>
        <span className="pineLogs__count">
          {lines.length > shown.length ? `the last ${shown.length} of ${lines.length}` : String(lines.length)}
        </span>
        <span className="grow" />
        <label className="pineLogs__level">
          Level{' '}
          <select value={level} onChange={(event) => setLevel(event.target.value as typeof level)}>
            {LEVELS.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      </div>
      <div className="console__rows" role="log" aria-label="Pine Logs" tabIndex={0}>
        {shown.length === 0 && <p className="console__empty">What scripts write with log.info, log.warning and log.error appears here.</p>}
        {shown.map((line, at) => (
          <Line key={at} line={line} several={studies.length > 1} reveal={line.scriptKey === pine.key ? () => reveal(line.line) : null} />
        ))}
        <div ref={end} />
      </div>
    </div>
  );
}

function Line({ line, several, reveal }: { line: LogLine; several: boolean; reveal: (() => void) | null }) {
  const text = (
    <>
      <time>[{timeText(line.time)}]</time>: <span>{line.message}</span>
    </>
  );
  return (
    <div className={`pineLogs__line pineLogs__line--${line.level}`} data-level={line.level}>
      {reveal === null ? (
        <span>{text}</span>
      ) : (
        <button className="pineLogs__jump" title={`Go to line ${line.line}`} onClick={reveal}>
          {text}
        </button>
      )}
      {/* Beside the text and not in it, because clients read the text. */}
      {several && <small data-study={line.study} />}
    </div>
  );
}
