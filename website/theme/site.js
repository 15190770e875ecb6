// What the theme leaves out for readers without a mouse: a name of the search, and keys for parts that scroll.
function complete() {
  document.querySelector('.md-search')?.setAttribute('aria-label', 'Search');
  for (const part of document.querySelectorAll('pre > code, .md-typeset__scrollwrap')) part.tabIndex = 0;
}

complete();
// The theme wraps wide tables when the page is loaded.
window.addEventListener('load', () => requestAnimationFrame(complete));
