// Whether the studio's server is there. The page asks it from time to time, so that nobody types for an hour to nobody.
import { answers, server } from '../server';
import { Watched } from '../watched';

/** `locked`: a studio answers, but it was restarted and does not know this page's token. */
export type Connection = 'there' | 'gone' | 'locked';

export const connection = new Watched<Connection>('there');

const CALM_MS = 5000;
const ANXIOUS_MS = 1000;

/** The server's news about the user's own bars. */
export interface DataNews {
  generation: number;
  problems: readonly string[];
}

/**
 * Watch the connection from now on. `back` is called each time the server is reachable again, `heard` with its news
 * about the user's own bars.
 */
export function watchConnection(back: () => void, heard: (news: DataNews) => void): void {
  let timer = 0;
  const look = async () => {
    clearTimeout(timer);
    const health = await server.health().catch(() => null);
    const now = health === null ? 'gone' : health.data === undefined ? 'locked' : 'there';
    if (health?.data !== undefined) heard(health.data);
    const before = connection.value();
    connection.setValue(now);
    if (now === 'there' && before !== 'there') back();
    clearTimeout(timer);
    timer = window.setTimeout(() => void look(), now === 'there' ? CALM_MS : ANXIOUS_MS);
  };
  answers.subscribe((there) => {
    if (!there) void look();
  });
  void look();
}
