import { useState } from 'react';
import { type Open, takesReady } from '@maw/games/kernel/question.ts';
import { isComplete } from '@maw/games/match/asked-question.ts';
import { useScene } from '../scene/scene.ts';
import type { TableState } from '../scene/session.ts';
import { en, fill, named } from '../text/en.ts';
import type { Acts } from './acts/acts.ts';
import { ChoicePanel } from './choice-panel.tsx';
import type { KeyAction } from './keys/keyboard.ts';
import { SpeechBox } from './speech-box.tsx';
import type { SeatStorage } from './acts/storage.ts';
import { type ChoiceTask, type Labels, type SpeechTask, type Task, tasksOf, togglePick } from './tasks.ts';
import { useKeys } from './keys/use-keys.ts';
import { understandingIn } from './understood.ts';
import { WhisperBox } from './whisper-box.tsx';
import type { Language, Said, Translation } from '@maw/games/kernel/language.ts';
import type { Seen } from '../api/shapes.ts';

export interface TaskListProps {
  readonly seat: number;
  readonly state: TableState;
  readonly acts: Acts;
  readonly storage: SeatStorage;
  readonly isFrozen: boolean;
}

/** Everything that is asked of the seat now. */
export function TaskList(props: TaskListProps) {
  const { seat, state, acts, storage, isFrozen } = props;
  const { names } = useScene();
  const tasks = tasksOf(state.asked?.asked ?? [], labelsFor(names));
  const choices = useChoices(tasks, props);
  useKeys((action) => choices.onKey(action) || focusTask(action));
  const common = (task: Task) => ({
    clock: state.clock,
    link: state.link,
    isFrozen,
    isSending: acts.state.sending.has(task.id),
  });
  return tasks.map((task) => {
    switch (task.does) {
      case 'choose':
        return <ChoicePanel key={task.id} task={task} {...common(task)} {...choices.propsOf(task)} />;
      case 'whisper':
        return (
          <WhisperBox
            key={task.id}
            task={task}
            storage={storage}
            {...common(task)}
            onWhisper={(to, text) => void acts.whisper(task.id, to, text)}
          />
        );
      case 'speak':
        return (
          <SpeechBox
            key={task.id}
            task={task}
            storage={storage}
            {...common(task)}
            {...languageOf(state, seat, task)}
            understand={understandingIn(state, seat, task.question.room)}
            onSay={(text, draft) => void acts.speak(task.id, task.question.room ?? task.place, text, draft)}
          />
        );
    }
  });
}

const labelsFor = (names: readonly (string | undefined)[]): Labels => ({
  seat: (seat) => names[seat] ?? `#${seat + 1}`,
  word(option, name) {
    const [, first, second] = /^centre:(\d+)(?:\+(\d+))?$/.exec(option) ?? [];
    if (first === undefined) return named(en.play.words, name);
    const cards = { first: Number(first) + 1, second: Number(second) + 1 };
    return fill(second === undefined ? en.play.centreCard : en.play.centreCards, cards);
  },
});

/** The choices, one of which the digits answer. */
function useChoices(tasks: readonly Task[], { seat, state, acts, isFrozen }: TaskListProps) {
  const [picks, setPicks] = useState<{ readonly [question: string]: readonly string[] }>({});
  const [active, setActive] = useState<string>();
  const open: readonly Open[] = state.tape.moments.at(-1)?.after.open ?? [];
  const answerTo = (question: string): readonly string[] | undefined =>
    open.find(({ id }) => id === question)?.answers.findLast(({ by }) => by === seat)?.says;
  const choices = tasks.filter((task) => task.does === 'choose');
  const current = choices.find(({ id }) => id === active) ?? choices.find(({ id }) => !answerTo(id)) ?? choices[0];
  const picked = ({ id }: ChoiceTask): readonly string[] => picks[id] ?? [];
  const setPicked = (id: string, says: readonly string[]): void => setPicks((all) => ({ ...all, [id]: says }));
  const send = async (id: string, says: readonly string[]): Promise<void> => {
    await acts.choose(id, says);
    setPicked(id, []);
  };
  const pick = (task: ChoiceTask, option: string): void => {
    const { id } = task;
    setActive(id);
    if (answerTo(id)?.includes(option) && task.isInstant) return; // it counts already
    if (!task.isInstant) return setPicked(id, togglePick(picked(task), option, task));
    setPicked(id, [option]); // shown at once
    void send(id, [option]);
  };
  return {
    propsOf: (task: ChoiceTask) => ({
      picked: picked(task),
      answer: answerTo(task.id),
      hasKeys: task === current,
      isReady: open.some((q) => q.id === task.id && takesReady(q))
        ? open.some((q) => q.id === task.id && q.ready?.includes(seat))
        : undefined,
      onReady: () => void acts.choose(task.id, []),
      onPick: (option: string) => pick(task, option),
      onConfirm: () => void send(task.id, picked(task)),
    }),
    onKey(action: KeyAction): boolean {
      if (!current) return false;
      const { id } = current;
      if (action.does === 'next') {
        setActive(choices[(choices.indexOf(current) + 1) % choices.length]!.id);
        return true;
      }
      if (isFrozen || acts.state.sending.has(id)) return false;
      const option = action.does === 'pick' ? current.choices[action.index] : undefined;
      if (option) pick(current, option.is);
      else if (action.does === 'confirm' && !current.isInstant && isComplete(current.question, picked(current)))
        void send(id, picked(current));
      else if (action.does === 'clear' && picked(current).length) setPicked(id, []);
      else return false;
      return true;
    },
  };
}

/** Brings the focus to a text, or away from it. */
function focusTask({ does }: KeyAction): boolean {
  const name = { write: 'textarea[name=speech]', whisper: 'select[name=whisper-to]' }[does as string];
  const field = name === undefined ? undefined : document.querySelector<HTMLElement>(name);
  field?.closest('details')?.setAttribute('open', '');
  field?.focus();
  if (does === 'back') (document.activeElement as HTMLElement | null)?.blur();
  return name !== undefined || does === 'back';
}

/** How people speak in a game with a language of its own. */
function languageOf({ tape }: TableState, seat: number, { id, example }: SpeechTask) {
  const language = example === undefined ? undefined : tape.rules?.set.language;
  const last = tape.moments.at(-1);
  if (!language || !last || !tape.rules) return { translate: undefined, example: undefined };
  const { game } = last.after;
  const names = game.names.map((name, at) => name ?? `#${at + 1}`);
  const out = tape.rules.inner.out(game.game);
  const speaker = {
    language,
    seat,
    names,
    alive: names.map((_, at) => !out.includes(at)),
    said: saidIn(tape.moments.map(({ seen }) => seen)),
  };
  return { translate: (typed: string) => translate(speaker, id, typed), example: language.plainExample(example!, names) };
}

/** What was said in turns so far; plain English such as "I agree with Bo" refers to it. */
const saidIn = (seen: readonly Seen[]): readonly Said[] =>
  seen.flatMap(({ event }): readonly Said[] => {
    const question = String(event['question']);
    if (!/\/turn-\d+\//.test(question)) return [];
    if (event.type === 'passed') return [{ question, by: event['seat'] as number, text: undefined }];
    if (event.type !== 'answered') return [];
    const { by, says } = event['answer'] as { readonly by: number; readonly says: readonly string[] };
    return [{ question, by, text: says[0] }];
  });

/** Who types, and at which table. */
interface PlainSpeaker {
  readonly language: Language;
  readonly seat: number;
  readonly names: readonly string[];
  readonly alive: readonly boolean[];
  readonly said: readonly Said[];
}

/** What is said for what was typed, in a game with a language of its own, or why it cannot be said. */
const translate = ({ language, ...speaker }: PlainSpeaker, question: string, typed: string): Translation =>
  language.translate(typed, { ...speaker, question });
