// The page of a chart server for people: lets a person log in, then shows chart, alerts and paper account.
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import './app.css';
import './market.css';
import type { Link } from './link';
import { Login } from './login';
import { Market } from './Market';
import { serverLink } from './server';
import { words } from './words';

const THEME = 'pinebench-market-theme';

function App({ first, problem: begun }: { first: Link | null; problem: string }) {
  const [link, setLink] = useState(first);
  const [problem, setProblem] = useState(begun);
  const [dark, setDark] = useState(isDark);
  const turn = () => {
    dress(!dark);
    setDark(!dark);
  };
  if (link !== null) {
    return (
      <main className="app">
        <h1 className="hidden">pinebench</h1>
        <Market
          link={link}
          dark={dark}
          turn={turn}
          left={(told) => {
            setProblem(told ?? 'You are logged out. The server no longer accepts the tokens of this log-in.');
            setLink(null);
          }}
        />
      </main>
    );
  }
  return (
    <main className="app app--door">
      <h1>pinebench</h1>
      <p>Charts, alerts and a paper account of the server at <b>{location.host}</b>. Its consent page asks for your passphrase.</p>
      {problem !== '' && <p className="market__warning" role="alert">{problem}</p>}
      <button className="button button--accent" data-name="log-in" onClick={() => void Login.begin().catch((error: unknown) => setProblem(words(error)))}>Log in</button>
      <button className="button" onClick={turn}>{dark ? 'Light theme' : 'Dark theme'}</button>
    </main>
  );
}

async function start(): Promise<void> {
  dress(isDark());
  const root = document.getElementById('root');
  if (root === null) return;
  const asks = document.querySelector<HTMLMetaElement>('meta[name="pinebench-login"]')?.content !== 'none';
  let [link, problem]: [Link | null, string] = [null, ''];
  try {
    const login = asks ? await Login.resume() : null;
    link = asks && login === null ? null : serverLink(login);
  } catch (error) {
    problem = words(error);
  }
  createRoot(root).render(<App first={link} problem={problem} />);
}

function isDark(): boolean {
  const kept = read();
  return kept === null ? matchMedia('(prefers-color-scheme: dark)').matches : kept === 'dark';
}

function dress(dark: boolean): void {
  document.documentElement.dataset['theme'] = dark ? 'dark' : 'light';
  try {
    localStorage.setItem(THEME, dark ? 'dark' : 'light');
  } catch {
    return;
  }
}

function read(): string | null {
  try {
    return localStorage.getItem(THEME);
  } catch {
    return null;
  }
}

void start();
