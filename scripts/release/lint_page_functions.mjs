// Lint the page functions of pinebench/tradingview/js with the studio's ESLint. Each file is one function expression, not a
// complete program, so it is read as `(function)`. Run: node scripts/release/lint_page_functions.mjs; exits 1 on findings.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const require = createRequire(`${root}pinebench/studio/page/package.json`);
const { Linter } = require('eslint');
const { configs } = require('@eslint/js');

const browser = `window document location navigator performance console fetch URL URLSearchParams AbortController WeakMap WeakSet
  HTMLInputElement NodeFilter MouseEvent PointerEvent KeyboardEvent Event getComputedStyle setTimeout clearTimeout MutationObserver MessageChannel Node requestAnimationFrame`.split(/\s+/);

const config = {
  languageOptions: {
    ecmaVersion: 2022,
    sourceType: 'script',
    globals: Object.fromEntries(browser.map((name) => [name, 'readonly'])),
  },
  rules: {
    ...configs.recommended.rules,
    'eqeqeq': 'error',
    'no-eval': 'error',
    'no-implied-eval': 'error',
    'no-new-func': 'error',
    'no-var': 'error',
    'prefer-const': 'error',
    'no-shadow': 'error',
    'max-len': ['error', { code: 140 }],
  },
};

const folder = `${root}pinebench/tradingview/js/`;
let findings = 0;
for (const name of readdirSync(folder).sort()) {
  const program = `(${readFileSync(folder + name, 'utf8').trimEnd()}\n);`;
  for (const found of new Linter().verify(program, config, { filename: name })) {
    console.error(`${folder}${name}:${found.line}:${found.column} ${found.message} (${found.ruleId ?? 'syntax'})`);
    findings += 1;
  }
}
process.exit(findings === 0 ? 0 : 1);
