import { type RefObject, useEffect, useRef, useState } from 'react';
import { sideOf } from '@maw/games/roles.ts';
import type { Face } from '../faces/draw.ts';
import { useFaces } from '../faces/use-faces.ts';
import { en, fill, named } from '../text/en.ts';
import { seatStyle } from '../ui/player.tsx';
import { arrowPath, type Point, seatPoints } from '../scene/circle.ts';
import { type Arrow, arrowsAt, countVotes, coverSecrets, type SeatFacts, voteAt } from '../scene/facts.ts';
import { GameMarks, markWords } from '../games/marks.tsx';
import { useScene } from '../scene/scene.ts';
import styles from './circle.module.css';
import { countText } from '../time/ballot.ts';
import { Option } from '../ui/option.tsx';
import { phaseName } from '../scene/phase-name.ts';
import { PhaseClock } from './phase-clock.tsx';

interface Size {
  readonly width: number;
  readonly height: number;
  /** From the middle of a seat to where an arrow begins. */
  readonly gap: number;
}

interface SeatCircleProps {
  readonly you: number | undefined;
  /** Whether what tells the own role is covered. */
  readonly isCovered: boolean;
  onSeat(seat: number): void;
}

/** The table from above: the seats as buttons around it, and who chooses whom as arrows between them. */
export function SeatCircle({ you, isCovered, onSeat }: SeatCircleProps) {
  const { seats, moment, known } = useScene();
  const faces = useFaces(moment.after.game.names);
  const isNight = moment.phase.kind === 'night';
  const box = useRef<HTMLDivElement>(null);
  const size = useSize(box);
  const points = seatPoints(seats.length);
  return (
    <div ref={box} className={styles['circle']} data-phase={moment.phase.kind} data-crowd={seats.length > 10 ? 'large' : 'small'}>
      <div className={styles['table']} />
      <Arrows arrows={arrowsAt(moment)} isPrivate={isNight} points={points} size={size} />
      <TableCentre />
      <ul className={styles['seats']} aria-label={en.table.seats}>
        {seats.map((facts) => (
          <li key={facts.seat} style={{ left: `${points[facts.seat]!.x}%`, top: `${points[facts.seat]!.y}%`, ...seatStyle(facts.seat) }}>
            <Seat
              facts={isCovered ? coverSecrets(facts, isNight) : facts}
              face={faces[facts.seat]}
              known={isCovered ? [] : (known.get(facts.seat) ?? [])}
              isYou={facts.seat === you}
              onClick={() => onSeat(facts.seat)}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

interface SeatProps {
  readonly facts: SeatFacts;
  readonly face: Face | undefined;
  /** What the eye has learnt of it by night, in words. */
  readonly known: readonly string[];
  readonly isYou: boolean;
  onClick(): void;
}

function Seat({ facts, face, known, isYou, onClick }: SeatProps) {
  const { names, moment, rules } = useScene();
  const isNight = moment.phase.kind === 'night';
  const { seat, name, isAlive, isSpeaking, isAwaited, isWinner, role, dealt, votes } = facts;
  const label = names[seat] ?? en.table.free;
  const learnt = known.filter((each) => role === undefined || !each.endsWith(named(en.roles, role)));
  // What the seat shows stands first, in the same order: voice control listens for it.
  const states = [
    role !== undefined && named(en.roles, role),
    isYou && en.table.you,
    ...markWords(facts.marks),
    ...learnt,
    !isAlive && en.table.dead,
    dealt !== undefined && fill(en.table.wasDealt, { role: named(en.roles, dealt) }),
    isSpeaking && en.table.speaking,
    isAwaited && en.table.awaited,
    votes && fill(en.table.votes, { count: votes }),
    isWinner && en.table.winner,
  ].filter(Boolean);
  return (
    <button
      type="button"
      className={styles['seat']}
      data-dead={!isAlive || undefined}
      data-free={name === undefined || undefined}
      data-speaking={isSpeaking || undefined}
      data-awaited={isAwaited || undefined}
      data-you={isYou || undefined}
      data-winner={isWinner || undefined}
      aria-label={[label, ...states].join(', ')}
      onClick={onClick}
    >
      <span className={styles['face']} data-sign={isAlive ? initialOf(name) : '✝'} aria-hidden="true">
        {face && <img className={styles['portrait']} src={face.open} alt="" />}
        {face && isNight && isAlive && !facts.isAwake && <img className={styles['portrait']} src={face.closed} alt="" />}
        {votes && <span className={styles['count']} data-sign={votes} data-private={isNight || undefined} />}
        <GameMarks marks={facts.marks} />
      </span>
      <bdi className={styles['label']}>{label}</bdi>{' '}
      {role !== undefined && (
        <span className={styles['role']} data-side={sideOf(role, rules.set.name)} data-private>
          {named(en.roles, role)}
        </span>
      )}
      {learnt.map((each) => (
        <span key={each} className={styles['known']} data-private>
          {each}
        </span>
      ))}
    </button>
  );
}

const initialOf = (name: string | undefined): string => [...(name ?? '·')][0]!.toUpperCase();

interface ArrowsProps {
  readonly arrows: readonly Arrow[];
  /** Whether not everybody knows of them. */
  readonly isPrivate: boolean;
  readonly points: readonly Point[];
  readonly size: Size;
}

function Arrows({ arrows, isPrivate, points, size }: ArrowsProps) {
  const at = (seat: number): Point => ({ x: (points[seat]!.x * size.width) / 100, y: (points[seat]!.y * size.height) / 100 });
  return (
    <svg className={styles['arrows']} data-private={isPrivate || undefined} viewBox={`0 0 ${size.width} ${size.height}`} aria-hidden="true">
      <defs>
        <marker id="arrow-head" viewBox="0 0 8 8" refX="5" refY="4" markerWidth="6" markerHeight="6" orient="auto">
          <path d="M0 0L8 4L0 8z" fill="context-stroke" />
        </marker>
      </defs>
      {arrows
        .filter(({ from, to }) => from !== to && points[from] && points[to])
        .map(({ from, to, step, isOpen }) => (
          <path
            key={`${from}-${to}-${step}`}
            d={arrowPath(at(from), at(to), size.gap)}
            data-step={step}
            data-open={isOpen || undefined}
            style={seatStyle(from)}
            markerEnd="url(#arrow-head)"
          />
        ))}
    </svg>
  );
}

function useSize(of: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 100, height: 100, gap: 30 });
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      const { width = 100, height = 100 } = entry?.contentRect ?? {};
      const face = of.current?.querySelector('[data-sign]')?.clientWidth ?? 50;
      setSize({ width, height, gap: face / 2 + 5 });
    });
    if (of.current) observer.observe(of.current);
    return () => observer.disconnect();
  }, [of]);
  return size;
}

/** The middle of the table: the phase, its clock, and how the vote stands. */
function TableCentre() {
  const { moment, rules } = useScene();
  const vote = voteAt(moment);
  return (
    <div className={styles['centre']}>
      <p className={styles['phase']}>{phaseName(moment.phase)}</p>
      <PhaseClock />
      {vote && (
        <div className={styles['tally']} data-private={moment.phase.kind === 'night' || undefined}>
          <p>{named(en.votes, vote.step)}</p>
          <ol>
            {countVotes(rules, moment, vote)
              .slice(0, 5)
              .map(([option, , count]) => (
                <li key={option}>
                  <Option option={option} /> <strong>{countText(count)}</strong>
                </li>
              ))}
          </ol>
        </div>
      )}
    </div>
  );
}
