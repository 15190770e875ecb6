// Teaches Monaco Pine, once, before the first editor is made.
import { CONFIGURATION, TOKENS } from './language';
import { monaco } from './monaco';
import { THEME } from './theme';
import { registerWords } from './words';

export const THEME_NAME = 'pinebench';

export function setUpMonaco(): void {
  monaco.languages.register({ id: 'pine', extensions: ['.pine'], aliases: ['Pine Script'] });
  monaco.languages.setLanguageConfiguration('pine', CONFIGURATION);
  monaco.languages.setMonarchTokensProvider('pine', TOKENS);
  monaco.editor.defineTheme(THEME_NAME, THEME);
  registerWords();
}
