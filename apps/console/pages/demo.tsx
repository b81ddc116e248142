import { Link } from 'wouter';
import game from '../demo/game.json' with { type: 'json' };
import type { Recording } from '../recording/recording.ts';
import { en } from '../text/en.ts';
import { RecordedGame } from './recording.tsx';

const recording = game as unknown as Recording;

/** A finished game that comes with the page, as its story, for those who have played none yet. */
export const DemoPage = () => <RecordedGame recording={recording} view="story" tools={() => <Link href="/">{en.app.lobby}</Link>} />;
