// Teaches Monaco Pine, once: its colours before the first editor is made, the words of the language when they are there.
import { server } from '../server';
import { colouring, configuration } from './language';
import { monaco } from './monaco';
import { registerServices, type Tell } from './services';
import { THEME } from './theme';

export const THEME_NAME = 'pinebench';

export function setUpMonaco(): void {
  monaco.languages.register({ id: 'pine', extensions: ['.pine'], aliases: ['Pine Script'] });
  monaco.editor.defineTheme(THEME_NAME, THEME);
}

/** Fetch the words of the language and have the server answer about every Pine text. */
export async function learnPine(tell: Tell): Promise<void> {
  const words = await server.words();
  monaco.languages.setLanguageConfiguration('pine', configuration(words));
  monaco.languages.setMonarchTokensProvider('pine', colouring(words));
  registerServices(words, tell);
}
