// The colours of charts in both themes; the rest of the page takes its own from the stylesheet.
import type { Theme } from '../model/preferences';

export interface Palette {
  background: string;
  text: string;
  grid: string;
  border: string;
  borderHover: string;
  crosshair: string;
  label: string;
  up: string;
  down: string;
  volumeUp: string;
  volumeDown: string;
  line: string;
  areaTop: string;
  areaBottom: string;
}

const DARK: Palette = {
  background: '#0f1318',
  text: '#8a94a6',
  grid: '#171d25',
  border: '#222934',
  borderHover: '#2a3442',
  crosshair: '#56627a',
  label: '#2a3442',
  up: '#2fae86',
  down: '#e05a62',
  volumeUp: '#2fae8640',
  volumeDown: '#e05a6240',
  line: '#4cc49a',
  areaTop: '#35b58a44',
  areaBottom: '#35b58a00',
};

const LIGHT: Palette = {
  background: '#ffffff',
  text: '#5a6475',
  grid: '#eef1f5',
  border: '#d9dee6',
  borderHover: '#c3cad6',
  crosshair: '#8a94a6',
  label: '#3b4658',
  up: '#0f8a68',
  down: '#d23f4b',
  volumeUp: '#0f8a6840',
  volumeDown: '#d23f4b40',
  line: '#0f8a68',
  areaTop: '#0f8a6833',
  areaBottom: '#0f8a6800',
};

export const PALETTES: Record<Theme, Palette> = { dark: DARK, light: LIGHT };
