// The market page in the studio: a button of the header, and the page in a window over the charts.
import { useState } from 'react';
import { theme } from '../model/preferences';
import { useWatched } from '../watched';
import { studioLink } from './link';
import { Market } from './Market';
import { Modal } from './Picker';
import './market.css';

const link = studioLink();

export function StudioMarket() {
  const [open, setOpen] = useState(false);
  const dark = useWatched(theme) === 'dark';
  return (
    <>
      <button className="button" data-name="open-market" title="Chart of indicators, alerts and paper account on live prices" onClick={() => setOpen(true)}>
        <span>Market</span>
      </button>
      {open && (
        <Modal title="Market" name="market" close={() => setOpen(false)}>
          <Market link={link} dark={dark} />
        </Modal>
      )}
    </>
  );
}
