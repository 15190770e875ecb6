// What the theme leaves out for readers without a mouse: names of the search and of lists of pages, and keys for parts that scroll.
function complete() {
  document.querySelector('.md-search')?.setAttribute('aria-label', 'Search');
  for (const part of document.querySelectorAll('pre > code, .md-typeset__scrollwrap')) part.tabIndex = 0;
  // A section with a page of its own has an empty label; its list of pages would have no name.
  for (const list of document.querySelectorAll('nav[aria-labelledby^="__nav_"]')) {
    if (document.getElementById(list.getAttribute('aria-labelledby'))?.textContent.trim()) continue;
    list.setAttribute('aria-label', list.querySelector('.md-nav__title').textContent.trim());
    list.removeAttribute('aria-labelledby');
  }
  document.querySelectorAll('.md-code__nav').forEach((buttons, i) => buttons.setAttribute('aria-label', `Buttons of code ${i + 1}`));
}

complete();
// The theme wraps wide tables when the page is loaded, and adds buttons to blocks of code after that.
window.addEventListener('load', () => requestAnimationFrame(complete));
const completeNewButtons = () => {
  if (document.querySelector('.md-code__nav:not([aria-label])') !== null) complete();
};
new MutationObserver(completeNewButtons).observe(document.body, { childList: true, subtree: true });
