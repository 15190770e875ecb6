// Teaches Monaco Pine, once: its colours before the first editor is made, the words of the language when they are there.
import { server } from '../server';
import { colouring, configuration } from './language';
import { monaco } from './monaco';
import { registerServices, type Tell } from './services';
import { theme } from '../model/preferences';
import { LIGHT_THEME, THEME } from './theme';

const THEME_NAME = 'pinebench';
const LIGHT_THEME_NAME = 'pinebench-light';

/** The editor's theme that belongs to a theme of the page. */
export const editorTheme = (): string => (theme.value() === 'dark' ? THEME_NAME : LIGHT_THEME_NAME);

export function setUpMonaco(): void {
  monaco.languages.register({ id: 'pine', extensions: ['.pine'], aliases: ['Pine Script'] });
  monaco.editor.defineTheme(THEME_NAME, THEME);
  monaco.editor.defineTheme(LIGHT_THEME_NAME, LIGHT_THEME);
}

/** Fetch the words of the language, and let the server answer questions about every Pine text. */
export async function learnPine(tell: Tell): Promise<void> {
  const words = await server.words();
  monaco.languages.setLanguageConfiguration('pine', configuration(words));
  monaco.languages.setMonarchTokensProvider('pine', colouring(words));
  registerServices(words, tell);
}
