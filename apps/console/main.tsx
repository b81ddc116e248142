import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { keepToken, tableInPath, tokenInFragment } from './api/token.ts';
import { App } from './pages/app.tsx';
// oxlint-disable-next-line import/no-unassigned-import -- the bundler takes it as the style of the page
import './ui/theme.css';

/** A token in the fragment is kept and taken out of the address, lest it be copied with a link. */
function takeToken(): void {
  const token = tokenInFragment(location.hash);
  if (token === undefined) return;
  keepToken({ tab: sessionStorage, browser: localStorage }, tableInPath(location.pathname), token);
  history.replaceState(history.state, '', location.pathname + location.search);
}

takeToken();
addEventListener('hashchange', () => {
  takeToken();
  location.reload();
});
createRoot(document.getElementById('page')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
