import * as dashboard from '@grafana/grafana-foundation-sdk/dashboard';
import { metrics } from '@maw/telemetry/metrics.ts';
import type { Board } from './board.ts';
import { lines, number } from './panels.ts';
import { max, mean, nameOf, over, quantile, rate, sum } from './promql.ts';
import { PROMETHEUS } from './sources.ts';

const model = { model: { like: '$model' } };

export const gateway: Board = {
  uid: 'maw-gateway',
  title: 'MAW: Gateway',
  says: 'The queue in front of the model servers: how full they are, who waits, and what came of every request.',
  variables: [
    new dashboard.QueryVariableBuilder('model')
      .label('Model')
      .datasource(PROMETHEUS)
      .query(`label_values(${nameOf(metrics.completions)}, model)`)
      .refresh(dashboard.VariableRefresh.OnTimeRangeChanged)
      .multi(true)
      .includeAll(true)
      .allValue('.*')
      .current({ selected: true, text: 'All', value: '$__all' }),
  ],
  rows: [
    {
      title: 'Room',
      panels: [
        number({
          title: 'Slots',
          says: 'Slots of all model servers together.',
          unit: 'short',
          of: [{ expr: sum(metrics.slots), legend: 'slots' }],
        }),
        number({
          title: 'Busy',
          says: 'Slots in use, of all model servers.',
          unit: 'short',
          of: [{ expr: sum(metrics.slotsBusy), legend: 'busy' }],
        }),
        number({
          title: 'Asked for',
          says: 'Slot time that games ask for, as a share of all there is. Above 0.8 answers come late.',
          unit: 'percentunit',
          bad: [0.8, 1],
          of: [{ expr: max(metrics.poolUse), legend: 'asked for' }],
        }),
        number({
          title: 'Games',
          says: 'Games that asked for something lately, and how many more like these fit.',
          span: 6,
          unit: 'short',
          of: [
            { expr: max(metrics.poolGames), legend: 'active' },
            { expr: max(metrics.poolRoom), legend: 'more fit' },
          ],
        }),
        number({
          title: 'Servers that answer',
          says: 'Model servers that answer, and how many there are.',
          span: 6,
          unit: 'short',
          of: [
            { expr: sum(metrics.serverUp), legend: 'up' },
            { expr: `count(${nameOf(metrics.serverUp)})`, legend: 'all' },
          ],
        }),
        lines({
          title: 'Slots by server',
          says: 'Slots and how many of them are in use.',
          unit: 'short',
          of: [
            { expr: sum(metrics.slotsBusy, { by: ['server'] }), legend: '{{server}} busy' },
            { expr: sum(metrics.slots, { by: ['server'] }), legend: '{{server}} in all' },
          ],
        }),
        lines({
          title: 'Breakers',
          says: '1: open, the server or the model on it gets no work; 0.5: it is tried.',
          unit: 'short',
          of: [{ expr: max(metrics.breakers, { by: ['server', 'model'] }), legend: '{{server}} {{model}}' }],
        }),
      ],
    },
    {
      title: 'Waiting',
      panels: [
        lines({
          title: 'Queues by class',
          says: 'Completions that wait for a slot: critical ones hold a game up, talk can be left out, background has time.',
          unit: 'short',
          isStacked: true,
          of: [{ expr: sum(metrics.completionsWaiting, { by: ['urgency'] }), legend: '{{urgency}}' }],
        }),
        lines({
          title: 'Wait for a slot',
          says: 'How long completions wait, by class, 95 %. The points lead to the trace of one request.',
          unit: 's',
          hasTraces: true,
          of: [{ expr: quantile(0.95, metrics.completionWait, { by: ['urgency'], where: model }), legend: '{{urgency}}' }],
        }),
        lines({
          title: 'Deadlines',
          says: 'met; dropped_infeasible: refused at once for want of time; expired_waiting; cut_running: stopped at its deadline; client_cancel.',
          unit: 'cps',
          isStacked: true,
          of: [{ expr: rate(metrics.deadlines, { by: ['outcome'] }), legend: '{{outcome}}' }],
        }),
        lines({
          title: 'Fairness',
          says: 'How far the slot time of games that wait lies apart.',
          unit: 's',
          of: [{ expr: max(metrics.fairnessGap), legend: 'gap' }],
        }),
      ],
    },
    {
      title: 'Work',
      panels: [
        lines({
          title: 'Completions',
          says: 'By outcome. limited: beyond a limit or a budget; invalid: the answer did not meet its schema.',
          unit: 'cps',
          isStacked: true,
          of: [{ expr: rate(metrics.completions, { by: ['outcome'], where: model }), legend: '{{outcome}}' }],
        }),
        lines({
          title: 'Time of requests',
          says: 'From arrival to end, and to the first piece of an answer. The points lead to traces.',
          unit: 's',
          hasTraces: true,
          of: [
            { expr: quantile(0.95, metrics.operationSeconds, { by: ['operation'], where: model }), legend: '{{operation}}, 95 %' },
            { expr: quantile(0.95, metrics.firstChunkSeconds, { where: model }), legend: 'to the first piece, 95 %' },
          ],
        }),
        lines({
          title: 'Time of model servers',
          says: 'Calls of model servers without waiting: all of it, to the first token, and slot time by server.',
          unit: 's',
          hasTraces: true,
          of: [
            { expr: quantile(0.95, metrics.serverSeconds, { by: ['operation'], where: model }), legend: '{{operation}}, 95 %' },
            { expr: quantile(0.95, metrics.firstTokenSeconds, { where: model }), legend: 'to the first token, 95 %' },
            { expr: mean(metrics.completionSeconds, { by: ['server'], where: model }), legend: 'slot time at {{server}}, mean' },
          ],
        }),
        lines({
          title: 'Time of a token',
          says: 'Of tokens after the first: how fast the models write.',
          unit: 's',
          hasTraces: true,
          of: [{ expr: mean(metrics.outputTokenSeconds, { by: ['model'], where: model }), legend: '{{model}}' }],
        }),
        lines({
          title: 'Expected and true',
          says: 'Time of answered completions as expected when they began, as a share of what they took: 1 is right, below 1 they took longer.',
          unit: 'percentunit',
          of: [
            {
              expr: over(
                rate(metrics.expectedSeconds, { by: ['model'], where: model }),
                rate(metrics.trueSeconds, { by: ['model'], where: model }),
              ),
              legend: '{{model}}',
            },
          ],
        }),
        lines({
          title: 'Attempts after the first, and invalid answers',
          says: 'Why a request was tried again, and what was wrong with answers that must meet a schema.',
          unit: 'cps',
          of: [
            { expr: rate(metrics.retries, { by: ['why'], where: model }), legend: 'again: {{why}}' },
            { expr: rate(metrics.schemaFailures, { by: ['kind'] }), legend: 'schema: {{kind}}' },
          ],
        }),
      ],
    },
    {
      title: 'Cost and limits',
      panels: [
        lines({
          title: 'Tokens',
          says: 'Tokens a second that models read (input) and wrote (output): what is paid for.',
          unit: 'cps',
          isStacked: true,
          of: [{ expr: rate(metrics.completionTokens, { by: ['model', 'kind'], where: model }), legend: '{{model}}: {{kind}}' }],
        }),
        lines({
          title: 'Budgets overdrawn',
          says: 'Tokens used beyond their budgets, by whose they are.',
          unit: 'short',
          of: [{ expr: max(metrics.budgetDebt, { by: ['of'] }), legend: '{{of}}' }],
        }),
        lines({
          title: 'Wasted slots',
          says: 'Slots at work on an answer that nobody got, and why. 1: one slot all the time.',
          unit: 'short',
          isStacked: true,
          of: [{ expr: rate(metrics.wastedSlots, { by: ['why'] }), legend: '{{why}}' }],
        }),
        lines({
          title: 'Kept together',
          says: 'Completions given to the server their game was at work on before, prompts found in its cache, and models loaded anew.',
          unit: 'cps',
          of: [
            { expr: rate(metrics.affinity, { by: ['outcome'], where: model }), legend: 'server: {{outcome}}' },
            { expr: rate(metrics.prefixes, { by: ['outcome'], where: model }), legend: 'prompt: {{outcome}}' },
            { expr: rate(metrics.reloads, { by: ['server'], where: model }), legend: 'loaded anew: {{server}}' },
          ],
        }),
      ],
    },
  ],
};
