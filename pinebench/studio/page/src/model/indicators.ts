// The indicators the studio offers: Pine scripts of its own, asked for once.
import { server, type Indicator } from '../server';

let known: readonly Indicator[] = [];

export async function loadIndicators(): Promise<void> {
  known = await server.indicators();
}

export const indicators = (): readonly Indicator[] => known;

/** The indicator whose full, short or other name is `name`. Upper and lower case are the same. */
export function findIndicator(name: string): Indicator | undefined {
  const wanted = name.trim().toLowerCase();
  return known.find(({ metaInfo, also }) =>
    [metaInfo.description, metaInfo.shortDescription, ...also].some((text) => text.toLowerCase() === wanted),
  );
}
