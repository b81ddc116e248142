import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RecordingPage } from './pages/recording.tsx';
import { recordingIn } from './recording/recording.ts';
// oxlint-disable-next-line import/no-unassigned-import -- the bundler takes it as the style of the page
import './ui/theme.css';

createRoot(document.getElementById('page')!).render(
  <StrictMode>
    <RecordingPage recording={recordingIn(document)} />
  </StrictMode>,
);
