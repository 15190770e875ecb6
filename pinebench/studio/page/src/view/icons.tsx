// The page's icons: 20 by 20, drawn with lines in the colour of the text.
import type { ReactNode } from 'react';

const line = (path: string): ReactNode => <path d={path} />;

const SHAPES = {
  search: line('M8.7 14.4a5.7 5.7 0 1 0 0-11.4 5.7 5.7 0 0 0 0 11.4ZM13 13l4 4'),
  candles: line('M6 3v3M6 13v4M3.8 6h4.4v7H3.8zM14 2v4M14 11v5M11.8 6h4.4v5h-4.4z'),
  indicators: line('M2.5 14.5 7 8l3.5 4L17.5 4M2.5 17.5h15'),
  layout: line('M3 4h14v12H3zM10 4v12M10 10h7'),
  camera: line('M3 6.5h3L7.5 4h5L14 6.5h3V16H3zM10 13.5a2.7 2.7 0 1 0 0-5.4 2.7 2.7 0 0 0 0 5.4Z'),
  sun: line('M10 13.5a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7ZM10 2v2M10 16v2M2 10h2M16 10h2M4.300 4.300l1.400 1.400M14.300 14.300l1.400 1.400M4.300 15.700l1.400-1.400M14.300 5.700l1.400-1.400'),
  moon: line('M16.500 12A7 7 0 0 1 8 3.500a7 7 0 1 0 8.500 8.500Z'),
  fullscreen: line('M3 7V3h4M17 7V3h-4M3 13v4h4M17 13v4h-4'),
  list: line('M3.5 5h13M3.5 10h13M3.5 15h13'),
  settings: line('M3 6h8M15 6h2M3 14h2M9 14h8M13 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM7 16a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z'),
  close: line('m5 5 10 10M15 5 5 15'),
  down: line('m5.5 8 4.5 4.5L14.5 8'),
  up: line('m5.5 12.500 4.500-4.500 4.500 4.500'),
  collapse: line('M4 10h12'),
  eye: line('M2 10s3-5.2 8-5.2 8 5.2 8 5.2-3 5.2-8 5.2S2 10 2 10ZM10 12.3a2.3 2.3 0 1 0 0-4.6 2.3 2.3 0 0 0 0 4.6Z'),
  eyeOff: line('m3.5 3.5 13 13M8.4 4.9A9 9 0 0 1 10 4.8c5 0 8 5.2 8 5.2a14 14 0 0 1-2.4 2.9M5 6.4A13.8 13.8 0 0 0 2 10s3 5.2 8 5.200a8 8 0 0 0 3-.6'),
  bell: line('M10 3a4.500 4.500 0 0 0-4.500 4.500c0 4-1.500 5.500-1.500 5.500h12s-1.500-1.500-1.500-5.500A4.500 4.500 0 0 0 10 3ZM8.500 16a1.700 1.700 0 0 0 3 0'),
  replay: line('M9 5 4 10l5 5zM16 5l-5 5 5 5z'),
  undo: line('M7.5 4 3.500 8l4 4M4 8h7.500a4.500 4.500 0 0 1 0 9H9'),
  redo: line('M12.5 4l4 4-4 4M16 8H8.500a4.500 4.500 0 0 0 0 9H11'),
  plus: line('M10 4v12M4 10h12'),
  play: line('M6.5 4.300v11.400l9-5.700z'),
  save: line('M4 3.500h9.500l3 3V16.500H4zM7 3.500v4h5.500v-4M6.5 16.500v-5h7v5'),
  code: line('m7 6-4 4 4 4M13 6l4 4-4 4M11.3 4.500l-2.6 11'),
  tester: line('M3 16.500h14M5 16V9.500M10 16V4M15 16V7'),
  download: line('M10 3v9M6 8.500 10 12.500l4-4M4 16.500h12'),
  trash: line('M4 5.500h12M8 5.500v-2h4v2M5.5 5.500l.7 11h7.600l.7-11'),
  error: line('M10 17.200a7.2 7.2 0 1 0 0-14.4 7.2 7.2 0 0 0 0 14.400ZM7.5 7.500l5 5M12.5 7.500l-5 5'),
  warning: line('M10 3.3 2.3 16.600h15.400zM10 8v4.300M10 14.200v.4'),
  check: line('m4 10.5 4 4 8-9'),
  trade: line('M3 4.500h9M3 8.200h6M3 12h5M3 15.700h9M14.500 5v10M12 12.500l2.500 2.500 2.500-2.500'),
  chat: line('M3 4h14v9.500h-7L6 17v-3.500H3zM6.500 7.500h7M6.500 10.300h4.500'),
  cursor: line('M5 3l10 7-4.500 1L8 15.500z'),
  pencil: line('M4 16l1-4 8.500-8.500 3 3L8 15zM12 5l3 3'),
  trend_line: line('M5.500 14.500 14.500 5.500M5.500 14.500a1.500 1.500 0 1 1-2.100 2.100 1.500 1.500 0 0 1 2.100-2.100ZM16.600 5.500a1.500 1.500 0 1 1-2.100-2.100 1.500 1.500 0 0 1 2.100 2.100Z'),
  ray: line('M5.500 14.500 17.500 2.500M5.500 14.500a1.500 1.500 0 1 1-2.100 2.100 1.500 1.500 0 0 1 2.100-2.100ZM11 9a1.500 1.500 0 1 1 0 .1'),
  horizontal_line: line('M2 10h6.500M11.500 10H18M10 11.500a1.500 1.500 0 1 0 0-3 1.500 1.500 0 0 0 0 3Z'),
  vertical_line: line('M10 2v6.500M10 11.500V18M10 11.500a1.500 1.500 0 1 0 0-3 1.500 1.500 0 0 0 0 3Z'),
  rectangle: line('M4 5h12v10H4z'),
  parallel_channel: line('M3 12 14 3M6 17 17 8'),
  fib_retracement: line('M3 4h14M3 8h14M3 12h14M3 16h14M4 16 16 4'),
  date_and_price_range: line('M4 4h12v12H4zM10 6v8M6 10h8M8.500 7.500 10 6l1.500 1.500M12.500 8.500 14 10l-1.500 1.500'),
  text: line('M4 5V4h12v1M10 4v12M8 16h4'),
  long_position: line('M3 10h14M3 4h14v6H3zM3 16h14M10 13V5M8 7l2-2 2 2'),
  short_position: line('M3 10h14M3 16h14v-6H3zM3 4h14M10 7v8M8 13l2 2 2-2'),
  magnet: line('M5 3v7a5 5 0 0 0 10 0V3h-3v7a2 2 0 0 1-4 0V3zM5 6h3M12 6h3'),
  lock: line('M5 9h10v8H5zM7 9V6.500a3 3 0 0 1 6 0V9'),
  unlock: line('M5 9h10v8H5zM7 9V6.500a3 3 0 0 1 5.500-1.500'),
  copy: line('M7 7h10v10H7zM13 7V3H3v10h4'),
  layers: line('M10 3 2.500 7 10 11l7.500-4zM2.500 10.500 10 14.500l7.500-4M2.500 13.500l7.500 4 7.500-4'),
  compare: line('M3 13 7 8l4 3 6-7M3 17l5-3 4 2 5-5'),
  more: line('M5 10h.01M10 10h.01M15 10h.01'),
  front: line('M10 16V4M5 9l5-5 5 5M4 17.500h12'),
  back: line('M10 4v12M5 11l5 5 5-5M4 2.500h12'),
  link: line('M6.5 13.5 3 17M13.5 6.5 17 3M8 5.5 10.5 3M5.5 8 3 10.500M12 14.5 9.5 17M14.5 12l2.5-2.5'),
};

export type IconName = keyof typeof SHAPES;

export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      className="icon"
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {SHAPES[name]}
    </svg>
  );
}

export function Logo() {
  return (
    <svg className="logo" width="22" height="22" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M12 2 5.2 10.600h3.100L4 17h6.200v5h3.600v-5H20l-4.3-6.400h3.100z" fill="#35b58a" />
      <path d="M12 2v20h1.800v-5H20l-4.3-6.400h3.100z" fill="#1f7d60" />
    </svg>
  );
}
