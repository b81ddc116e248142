import type { Mark } from '@maw/games/kernel/rule-set.ts';
import { en } from '../text/en.ts';
import styles from './games.module.css';

/** `word`: stands beside the sign, where there is room. */
const SIGNS: Record<Mark, { readonly sign: string; readonly style: string; readonly title?: string; readonly word?: string }> = {
  leader: { sign: '♛', style: 'crown', title: en.centre.leader },
  team: { sign: '⛨', style: 'shield' },
  lady: { sign: '☾', style: 'lady', title: en.centre.holdsLady, word: en.centre.lady },
  condemned: { sign: '⚖', style: 'crown' },
  sheriff: { sign: '★', style: 'badge', word: en.centre.sheriff },
};

/** The signs on a seat that only some games have: the leader and the team, the Lady of the Lake, the condemned, the sheriff. */
export const GameMarks = ({ marks }: { readonly marks: readonly Mark[] }) =>
  marks.map((mark) => {
    const { sign, style, title, word } = SIGNS[mark];
    return (
      <span key={mark} className={styles[style]} title={title}>
        {sign}
        {word && <span> {word}</span>}
      </span>
    );
  });

/** The words of the signs that have one. */
export const markWords = (marks: readonly Mark[]): readonly string[] => marks.flatMap((mark) => SIGNS[mark].word ?? []);
