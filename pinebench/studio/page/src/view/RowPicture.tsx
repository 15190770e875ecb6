// The small picture in a row of a list. It is fetched when the row comes into sight, and only a few are fetched at once.
import { useEffect, useRef } from 'react';
import { Turns } from '../model/turns';

const turns = new Turns(2);

export function RowPicture({ address }: { address: string }) {
  const image = useRef<HTMLImageElement>(null);
  useEffect(() => {
    const node = image.current;
    if (node === null) return;
    const seen = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      seen.disconnect();
      void turns.take(() => fetched(node, address));
    });
    seen.observe(node);
    return () => seen.disconnect();
  }, [address]);
  return <img className="choice__picture" data-name="row-picture" alt="" ref={image} />;
}

/** Fetch a picture. A row that has gone meanwhile does not need it, and a script without a picture leaves its place empty. */
function fetched(node: HTMLImageElement, address: string): Promise<void> {
  if (!node.isConnected) return Promise.resolve();
  return new Promise((done) => {
    node.addEventListener('load', () => done(), { once: true });
    node.addEventListener(
      'error',
      () => {
        node.removeAttribute('src');
        done();
      },
      { once: true },
    );
    node.src = address;
  });
}
