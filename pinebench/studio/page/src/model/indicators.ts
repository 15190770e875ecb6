// The indicators the studio offers: Pine scripts of its own, asked for once, and not before one is wanted or the page is up.
import { server, type Indicator } from '../server';

let asked: Promise<readonly Indicator[]> | null = null;

/** All of them; asks again where that failed before. */
export function indicators(): Promise<readonly Indicator[]> {
  asked ??= server.indicators().catch((error: unknown) => {
    asked = null;
    throw error;
  });
  return asked;
}

/** The indicator whose full, short or other name is `name`. Upper and lower case are the same. */
export async function findIndicator(name: string): Promise<Indicator | undefined> {
  const wanted = name.trim().toLowerCase();
  return (await indicators()).find(({ metaInfo, also }) =>
    [metaInfo.description, metaInfo.shortDescription, ...also].some((text) => text.toLowerCase() === wanted),
  );
}
