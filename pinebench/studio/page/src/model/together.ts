// Pages of one studio side by side: each tells the others what it saved, and looks what others saved once it is in front.
import { ServerError } from '../server';
import type { Workspace } from './workspace';

type News = 'script' | 'watchlist';

const channel = new BroadcastChannel('pinebench-studio');

/** Tell the other pages of this browser that something was saved. */
export const tellOthers = (news: News): void => channel.postMessage(news);

/** From now on follow what other pages and programs save. */
export function followOthers(workspace: Workspace): void {
  const look = (news: News) => {
    const done = news === 'watchlist' ? workspace.watchlist.refresh() : workspace.pine.followNewest();
    done.catch((error: unknown) => {
      if (!(error instanceof ServerError)) workspace.pine.complain(error);
    });
  };
  channel.addEventListener('message', ({ data }) => look(data === 'watchlist' ? 'watchlist' : 'script'));
  window.addEventListener('focus', () => {
    look('watchlist');
    look('script');
  });
}
