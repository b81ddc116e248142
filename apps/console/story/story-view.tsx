import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { download } from '../recording/download.ts';
import type { Suspicion } from '../recording/recording.ts';
import { lineOf, type Part } from '../scene/lines.ts';
import { en, fill, named } from '../text/en.ts';
import { story as texts } from '../text/en-story.ts';
import type { Tape } from '../time/tape.ts';
import { PlayerName, seatStyle, Sentence } from '../ui/player.tsx';
import type { Missed } from './missed.ts';
import { drawPicture, plain, SIZE } from './picture.ts';
import { castOf, changeOf, lieSentence, missedSentences, resultOf, saidSentence, turnSentence } from './sentences.ts';
import { publicView, type Story, storyOf } from './story.ts';
import styles from './story.module.css';

interface Props {
  /** The best view that may be seen of a table that is over. */
  readonly tape: Tape;
  readonly suspicions?: readonly Suspicion[] | undefined;
  /** Whether suspicions are being read. */
  readonly isReading?: boolean;
  /** Whose own part is told, where the view is the narrator's. */
  readonly you?: number | undefined;
  /** What else can be done with the table. */
  readonly children?: ReactNode;
  /** Shows a moment of the view. */
  goTo(n: number): void;
}

/** What happened at a table that is over, and a picture of it. */
export function StoryView({ tape, suspicions, isReading = false, you, children, goTo }: Props) {
  const count = tape.moments.length;
  const story = useMemo(() => storyOf(tape, { suspicions: suspicions ?? [], you }), [tape, count, suspicions, you]);
  const shared = useMemo(() => storyOf(publicView(tape)), [tape, count]);
  if (!story || !shared) return <p className={styles['empty']}>{texts.none}</p>;
  const { names, winners, rules } = story;
  const say = (parts: readonly Part[]) => <Sentence parts={parts} names={names} />;
  const moment = (n: number) => (
    <button type="button" className={styles['moment']} onClick={() => goTo(n)}>
      {texts.moment}
    </button>
  );
  return (
    <article className={styles['story']}>
      <header>
        <p>{named(en.games, rules.set.name)}</p>
        <h1>{say(resultOf(winners))}</h1>
        <div className={styles['tools']}>{children}</div>
      </header>
      <Cast story={story} />
      <Section title={texts.lies} about={story.lies.length ? '' : texts.noLies}>
        {[...Map.groupBy(story.lies, ({ n }) => n)].map(([n, lies]) => (
          <div key={n} className={styles['item']}>
            {lies.map((lie) => (
              <p key={`${lie.about} ${lie.said}`}>
                {say(lieSentence(lie, story.rounds[lie.round - 1]!))}{' '}
                <small>{lie.times > 1 && fill(texts.times, { count: lie.times })}</small>
              </p>
            ))}
            <blockquote dir="auto">{say(lineParts(story, n) ?? [lies[0]!.text])}</blockquote>
            {moment(n)}
          </div>
        ))}
      </Section>
      <Section
        title={texts.turns}
        about={fill(isReading ? texts.reading : !story.turns.length ? texts.noTurns : story.isByBelief ? texts.byBelief : texts.byVotes, {
          village: rules.set.name === 'avalon' ? texts.good : texts.village,
        })}
      >
        {!isReading &&
          story.turns.map((turn) => (
            <div key={turn.moment.seen.n} className={styles['item']} data-to={turn.to > turn.from ? 'clearer' : 'darker'}>
              <p>{say(turnSentence(story, turn))}</p>
              <strong>{changeOf(turn)}</strong> {moment(turn.moment.seen.n)}
            </div>
          ))}
      </Section>
      {story.missed && <YouMissed story={story} missed={story.missed} goTo={moment} />}
      <Votes story={story} />
      <Section title={texts.picture} about={texts.pictureOf}>
        <Picture story={shared} />
      </Section>
    </article>
  );
}

interface SectionProps {
  readonly title: string;
  /** What it says in general. */
  readonly about?: string;
  readonly children: ReactNode;
}

const Section = ({ title, about, children }: SectionProps) => (
  <section>
    <h2>{title}</h2>
    {about && <p className={styles['about']}>{about}</p>}
    {children}
  </section>
);

/** A speech as people read it. */
function lineParts({ rules, rounds }: Story, n: number): readonly Part[] | undefined {
  const moment = rounds.flatMap(({ moments }) => moments).find(({ seen }) => seen.n === n);
  return moment && lineOf(rules, moment)?.parts;
}

const REVEAL_MS = 700;

/** Who was what, one after another; at once where motion is unwanted. */
function Cast({ story: { rounds, names, winners } }: { readonly story: Story }) {
  const count = rounds.length * names.length;
  const [shown, setShown] = useState(() => (matchMedia('(prefers-reduced-motion: reduce)').matches ? count : 0));
  useEffect(() => {
    if (shown >= count) return undefined;
    const timer = setTimeout(() => setShown(shown + 1), REVEAL_MS);
    return () => clearTimeout(timer);
  }, [shown, count]);
  return (
    <Section title={texts.cast}>
      {shown < count && (
        <button type="button" onClick={() => setShown(count)}>
          {texts.skip}
        </button>
      )}
      {rounds.map((round, i) => (
        <div key={round.round}>
          {rounds.length > 1 && <h3>{fill(texts.round, { round: round.round, winner: named(texts.roundWon, round.winner) })}</h3>}
          <ul className={styles['cast']}>
            {names.map((name, seat) => {
              const isShown = shown > i * names.length + seat;
              const { role, dealt } = castOf(round, seat);
              return (
                <li key={seat} style={seatStyle(seat)} data-shown={isShown} data-evil={isShown && round.isEvil(seat)}>
                  <PlayerName seat={seat} name={name} />
                  <span>{isShown ? role : texts.unknown}</span>
                  {isShown && dealt !== undefined && <small>{dealt}</small>}
                  {isShown && (rounds.length > 1 ? round.winners : winners).includes(seat) && <small>{en.table.winner}</small>}
                </li>
              );
            })}
          </ul>
        </div>
      ))}
    </Section>
  );
}

interface YouMissedProps {
  readonly story: Story;
  readonly missed: Missed;
  goTo(n: number): ReactNode;
}

function YouMissed({ story, missed, goTo }: YouMissedProps) {
  const suspects = missedSentences(story, missed);
  return (
    <Section title={texts.missed} about={missed.secrets.length + suspects.length ? '' : texts.noMissed}>
      {missed.secrets.map((line) => (
        <p key={line.n} className={styles['item']}>
          <Sentence parts={line.text === undefined ? line.parts! : saidSentence(line)} names={story.names} /> {goTo(line.n)}
        </p>
      ))}
      {suspects.map((parts, i) => (
        <p key={i}>
          <Sentence parts={parts} names={story.names} />
        </p>
      ))}
    </Section>
  );
}

function Votes({ story: { seats, names, rules } }: { readonly story: Story }) {
  return (
    <Section title={texts.votes} about={rules.set.name === 'avalon' ? texts.teamVotesMean : texts.votesMean}>
      <ul className={styles['votes']}>
        {seats.map(({ seat, votes, right, titles }) => (
          <li key={seat}>
            <PlayerName seat={seat} name={names[seat]} />
            {votes > 0 && <meter min={0} max={votes} value={right} aria-hidden="true" />}
            <span>{votes ? fill(texts.right, { right, votes }) : texts.noVotes}</span>
            {titles.map((title) => (
              <span key={title} className={styles['title']}>
                <strong>{texts.titles[title]}</strong>: {texts.titlesOf[title]}
              </span>
            ))}
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** The picture of what everybody at a table may know, to be saved or given to others. @param story of the audience's view */
export function Picture({ story }: { readonly story: Story }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => drawPicture(canvas.current!.getContext('2d')!, story), [story]);
  const give = (to: (file: File) => unknown): void =>
    canvas.current!.toBlob((blob) => void (blob && to(new File([blob], 'maw.png', { type: 'image/png' }))));
  const share = (file: File): void => {
    const data = { files: [file], title: texts.title };
    if (navigator.canShare(data)) navigator.share(data).catch(() => undefined); // whoever shares may think better of it
  };
  return (
    <>
      <canvas ref={canvas} {...SIZE} className={styles['picture']} role="img" aria-label={plain(resultOf(story.winners), story.names)} />
      <p className={styles['tools']}>
        <button type="button" onClick={() => give((file) => download(file, file.name))}>
          {texts.savePicture}
        </button>
        {(navigator as Partial<Navigator>).canShare && (
          <button type="button" onClick={() => give(share)}>
            {texts.share}
          </button>
        )}
      </p>
    </>
  );
}
