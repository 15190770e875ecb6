// In the place of React, which a module shared with the studio imports for its own components.
export const useSyncExternalStore = (): never => {
  throw new Error('there are no components here');
};
