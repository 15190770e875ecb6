// What a script wrote into its log on the bars that the chart shows, up to where it stopped if it did.
import type { Study } from './study';

export interface LogLine {
  study: string;
  scriptKey: string | null;
  level: string;
  message: string;
  /** The opening time of its bar in milliseconds. */
  time: number;
  bar: number;
  line: number;
}

export function logsOf(study: Study): LogLine[] {
  const logs = study.state.value().kind === 'running' ? [] : (study.result.value()?.logs ?? []);
  return logs.map((log) => ({ ...log, study: study.shortName, scriptKey: study.scriptKey }));
}

/** A time in UTC, in the form of TradingView's Pine Logs. */
export const timeText = (ms: number): string => new Date(ms).toISOString().replace('Z', '+00:00');
