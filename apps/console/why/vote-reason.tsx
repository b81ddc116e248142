import { stepOf } from '@maw/games/kernel/question.ts';
import { useScene } from '../scene/scene.ts';
import { whyTexts as texts } from '../text/en-story.ts';
import { fill } from '../text/en.ts';
import { Sentence } from '../ui/player.tsx';
import { useRequest } from '../ui/use-request.ts';
import { reasonOf, stepView } from '../inside/step-view.ts';
import { suspicionsOf } from '../inside/suspicions.ts';
import type { GetDecision } from '../inside/thoughts.ts';
import styles from './why.module.css';

interface Props {
  readonly get: GetDecision;
  readonly decision: string;
  /** The number of the event of the vote. */
  readonly n: number;
}

/** Why a mind chose so, in a line: the reason it gave, else, of a vote, whom it suspected most without knowing; and whether it has changed its mind. */
export function VoteReason({ get, decision, n }: Props) {
  const { tape, names, rules } = useScene();
  const { value } = useRequest(() => get({ decision, steps: 0 }), [get, decision]);
  const { before, seen } = tape.moments[n - 1]!;
  const { by } = seen.event['answer'] as { readonly by: number };
  const hasChosen = before.open.some(({ id, answers }) => id === seen.event['question'] && answers.some((answer) => answer.by === by));
  const reason = value && reasonOf(value.steps.map(stepView));
  const isVote = stepOf(String(seen.event['question'])) === 'vote';
  const gone = [by, ...rules.inner.out(before.game.game)];
  const of = ((isVote && value && suspicionsOf([value], tape).at(-1)?.of) || []).map((share, seat) => (gone.includes(seat) ? 0 : share));
  const most = Math.max(0, ...of);
  return (
    <small className={styles['reason']}>
      {hasChosen && <strong>{texts.changed}</strong>} {reason !== undefined && <q dir="auto">{reason}</q>}
      {reason === undefined && most > 0 && most < 1 && (
        <Sentence parts={[texts.suspects, { seat: of.indexOf(most) }, fill(texts.by, { share: Math.round(100 * most) })]} names={names} />
      )}
    </small>
  );
}
