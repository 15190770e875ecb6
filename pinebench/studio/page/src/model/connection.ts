// Whether the studio's server is there. The page asks it from time to time, so that nobody types for an hour to nobody.
import { answers, server } from '../server';
import { Watched } from '../watched';

/** `locked`: a studio answers, but it was started anew, and this page is a stranger to it. */
export type Connection = 'there' | 'gone' | 'locked';

export const connection = new Watched<Connection>('there');

const CALM_MS = 5000;
const ANXIOUS_MS = 1000;

/** Watch from now on; `back` is called each time the server is there again. */
export function watchConnection(back: () => void): void {
  let timer = 0;
  const look = async () => {
    clearTimeout(timer);
    const now = await state();
    const before = connection.value();
    connection.setValue(now);
    if (now === 'there' && before !== 'there') back();
    clearTimeout(timer);
    timer = window.setTimeout(() => void look(), now === 'there' ? CALM_MS : ANXIOUS_MS);
  };
  answers.subscribe((there) => {
    if (!there) void look();
  });
  timer = window.setTimeout(() => void look(), CALM_MS);
}

async function state(): Promise<Connection> {
  const health = await server.health().catch(() => null);
  if (health === null) return 'gone';
  return 'scripts' in health ? 'there' : 'locked';
}
