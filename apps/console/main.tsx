import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { keepToken, tableInPath, tokenInFragment } from './api/token.ts';
import { App } from './pages/app.tsx';
// oxlint-disable-next-line import/no-unassigned-import -- the bundler takes it as the style of the page
import './ui/theme.css';

/** The tokens in the fragment are kept and taken out of the address, lest they be copied with a link. */
function takeToken(): void {
  const stores = { tab: sessionStorage, browser: localStorage };
  const token = tokenInFragment(location.hash);
  const operator = tokenInFragment(location.hash, 'operator');
  if (token === undefined && operator === undefined) return;
  if (token !== undefined) keepToken(stores, tableInPath(location.pathname), token);
  if (operator !== undefined) keepToken(stores, undefined, operator);
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
