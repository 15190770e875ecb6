// A chart that stands alone in one file: reads the data of the file and draws them.
import './chart.css';
import { read, type ThemeName } from './data';
import { Picture } from './picture';

declare global {
  interface Window {
    /** Set once the first picture is drawn. */
    drawn?: boolean;
  }
}

const part = (id: string): HTMLElement => {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`#${id} is missing`);
  return found;
};

function start(): void {
  const file = read(part('data').textContent ?? '');
  document.querySelector('h1')?.append(file.title);
  part('chart').setAttribute('aria-label', file.title);
  let theme: ThemeName = file.theme;
  let logarithmic = file.logarithmic;
  const dress = () => {
    for (const [name, color] of Object.entries(file.themes[theme])) document.documentElement.style.setProperty(`--${name}`, String(color));
    document.documentElement.style.colorScheme = theme;
    part('theme').setAttribute('aria-pressed', String(theme === 'dark'));
  };
  dress();
  const picture = new Picture(part('chart'), part('tip'), file);
  part('theme').addEventListener('click', () => {
    theme = theme === 'dark' ? 'light' : 'dark';
    dress();
    picture.paint(theme);
  });
  const scale = part('log');
  scale.setAttribute('aria-pressed', String(logarithmic));
  scale.addEventListener('click', () => {
    logarithmic = !logarithmic;
    scale.setAttribute('aria-pressed', String(logarithmic));
    picture.setLogarithmic(logarithmic);
  });
  part('reset').addEventListener('click', () => picture.reset());
  requestAnimationFrame(() => requestAnimationFrame(() => (window.drawn = true)));
}

start();
