// Load the page again at a layout's address, after this call has been answered.
function ({ id }) {
  setTimeout(() => location.assign(`/chart/${encodeURIComponent(id)}/${location.search}`), 0);
  return true;
}
