import * as dashboard from '@grafana/grafana-foundation-sdk/dashboard';
import { metrics } from '@maw/telemetry/metrics.ts';
import type { Board } from './board.ts';
import { timeSeries, stat } from './panels.ts';
import { max, mean, nameOf, ratio, quantile, rate, sum, summed, sumOfMax } from '../prometheus/promql.ts';
import { chosen, PROMETHEUS } from './data-sources.ts';

const model = { model: { like: '$model' } };

export const gateway: Board = {
  uid: 'maw-gateway',
  title: 'MAW: Gateway',
  says: 'The queue in front of the model servers: capacity, waiting, deadlines, cost.',
  variables: [
    new dashboard.QueryVariableBuilder('model')
      .label('Model')
      .datasource(chosen(PROMETHEUS))
      .query(`label_values(${nameOf(metrics.completions)}, model)`)
      .refresh(dashboard.VariableRefresh.OnTimeRangeChanged)
      .multi(true)
      .includeAll(true)
      .allValue('.*')
      .current({ selected: true, text: 'All', value: '$__all' }),
  ],
  rows: [
    {
      title: 'Capacity',
      panels: [
        stat({
          title: 'Slots',
          says: 'Slots of all model servers that answer.',
          unit: 'short',
          of: [{ expr: `sum (${max(metrics.slots, { by: ['server'] })} * ${max(metrics.serverUp, { by: ['server'] })})`, legend: 'slots' }],
        }),
        stat({
          title: 'Busy',
          says: 'Slots in use, of all model servers.',
          unit: 'short',
          of: [{ expr: sumOfMax(metrics.slotsBusy, 'server'), legend: 'busy' }],
        }),
        stat({
          title: 'Demand',
          says: 'Slot time requested by games, as a share of the total. Above 0.8 answers come late.',
          unit: 'percentunit',
          bad: [0.8, 1],
          of: [{ expr: max(metrics.poolUse), legend: 'demand' }],
        }),
        stat({
          title: 'Games',
          says: 'Games with recent requests, and how many more like these fit.',
          span: 6,
          unit: 'short',
          of: [
            { expr: max(metrics.poolGames), legend: 'active' },
            { expr: max(metrics.poolRoom), legend: 'more fit' },
          ],
        }),
        stat({
          title: 'Servers up',
          says: 'Model servers that answer, and all that exist: not those that a scaler keeps away.',
          span: 6,
          unit: 'short',
          of: [
            { expr: sumOfMax(metrics.serverUp, 'server'), legend: 'up' },
            { expr: `count (${max(metrics.serverUp, { by: ['server'] })})`, legend: 'total' },
          ],
        }),
        timeSeries({
          title: 'Slots by server',
          says: 'Slots and how many of them are in use.',
          unit: 'short',
          of: [
            { expr: max(metrics.slotsBusy, { by: ['server'] }), legend: '{{server}} busy' },
            { expr: max(metrics.slots, { by: ['server'] }), legend: '{{server}} total' },
          ],
        }),
        timeSeries({
          title: 'Circuit breakers',
          says: 'Circuit breakers. 1: open, no requests; 0.5: half open, probing.',
          unit: 'short',
          of: [{ expr: max(metrics.breakers, { by: ['server', 'model'] }), legend: '{{server}} {{model}}' }],
        }),
      ],
    },
    {
      title: 'Waiting',
      panels: [
        timeSeries({
          title: 'Queues by class',
          says: 'Completions waiting for a slot. critical: a game waits for them; talk: optional; background: not urgent.',
          unit: 'short',
          isStacked: true,
          of: [{ expr: sum(metrics.completionsWaiting, { by: ['urgency'] }), legend: '{{urgency}}' }],
        }),
        timeSeries({
          title: 'Queue time',
          says: 'p95, by class. The points link to traces. Red: the bound of the alert QueueWait.',
          unit: 's',
          bad: 'QueueWait',
          hasTraces: true,
          of: [{ expr: quantile(0.95, metrics.completionWait, { by: ['urgency'], where: model }), legend: '{{urgency}}' }],
        }),
        timeSeries({
          title: 'Deadlines',
          says: 'met; dropped_infeasible: refused because too little time was left; expired_waiting; cut_running: aborted at its deadline; client_cancel.',
          unit: 'cps',
          isStacked: true,
          of: [{ expr: rate(metrics.deadlines, { by: ['outcome'] }), legend: '{{outcome}}' }],
        }),
        timeSeries({
          title: 'Fairness',
          says: 'Largest difference in slot time between waiting games.',
          unit: 's',
          of: [{ expr: max(metrics.fairnessGap), legend: 'gap' }],
        }),
      ],
    },
    {
      title: 'Work',
      panels: [
        timeSeries({
          title: 'Completions',
          says: 'By outcome. limited: over a limit or budget; invalid: the reply did not match its schema.',
          unit: 'cps',
          isStacked: true,
          of: [{ expr: rate(metrics.completions, { by: ['outcome'], where: model }), legend: '{{outcome}}' }],
        }),
        timeSeries({
          title: 'Request time',
          says: 'From arrival to the end, and to the first chunk. The points link to traces.',
          unit: 's',
          hasTraces: true,
          of: [
            { expr: quantile(0.95, metrics.operationSeconds, { by: ['operation'], where: model }), legend: '{{operation}}, p95' },
            { expr: quantile(0.95, metrics.firstChunkSeconds, { where: model }), legend: 'first chunk, p95' },
          ],
        }),
        timeSeries({
          title: 'Model server time',
          says: 'Calls of model servers, without queueing: total, to the first token, and slot time by server.',
          unit: 's',
          hasTraces: true,
          of: [
            { expr: quantile(0.95, metrics.serverSeconds, { by: ['operation'], where: model }), legend: '{{operation}}, p95' },
            { expr: quantile(0.95, metrics.firstTokenSeconds, { where: model }), legend: 'first token, p95' },
            { expr: mean(metrics.completionSeconds, { by: ['server'], where: model }), legend: 'slot time {{server}}, mean' },
          ],
        }),
        timeSeries({
          title: 'Time per token',
          says: 'Of tokens after the first.',
          unit: 's',
          hasTraces: true,
          of: [{ expr: mean(metrics.outputTokenSeconds, { by: ['model'], where: model }), legend: '{{model}}' }],
        }),
        timeSeries({
          title: 'Predicted duration',
          says: 'Predicted duration of completions relative to the actual one. Below 1: they took longer.',
          unit: 'percentunit',
          of: [
            {
              expr: ratio(
                rate(metrics.expectedSeconds, { by: ['model'], where: model }),
                rate(metrics.trueSeconds, { by: ['model'], where: model }),
              ),
              legend: '{{model}}',
            },
          ],
        }),
        timeSeries({
          title: 'Retries and schema errors',
          says: 'Reasons for retries, and kinds of schema errors in replies.',
          unit: 'cps',
          of: [
            { expr: rate(metrics.retries, { by: ['why'], where: model }), legend: 'retry: {{why}}' },
            { expr: rate(metrics.schemaFailures, { by: ['kind'] }), legend: 'schema: {{kind}}' },
          ],
        }),
      ],
    },
    {
      title: 'Cost and limits',
      panels: [
        timeSeries({
          title: 'Tokens',
          says: 'Tokens per second, input and output.',
          unit: 'cps',
          isStacked: true,
          of: [{ expr: summed(metrics.tokenUsage, { by: ['model', 'token_type'], where: model }), legend: '{{model}}: {{token_type}}' }],
        }),
        timeSeries({
          title: 'Tokens of a call',
          says: 'Prompts and answers, p95. Prompts near the context of the model are cut.',
          unit: 'short',
          of: [
            {
              expr: quantile(0.95, metrics.tokenUsage, { by: ['model', 'token_type'], where: model }),
              legend: '{{model}}: {{token_type}}, p95',
            },
          ],
        }),
        ...(['key', 'recipe'] as const).map((by) =>
          timeSeries({
            title: `Tokens by ${by}`,
            says: `Tokens of 24 hours, by ${by}: the last ones that are over. ./maw gateway use has days, models and tables.`,
            unit: 'short',
            isStacked: true,
            of: [{ expr: max(metrics.usedTokens, { by: ['of'], where: { by } }), legend: '{{of}}' }],
          }),
        ),
        timeSeries({
          title: 'Budgets overdrawn',
          says: 'Tokens used beyond a budget, by owner.',
          unit: 'short',
          of: [{ expr: max(metrics.budgetDebt, { by: ['of'] }), legend: '{{of}}' }],
        }),
        timeSeries({
          title: 'Wasted slots',
          says: 'Slots spent on replies that nobody received, by cause. 1: one slot all the time.',
          unit: 'short',
          isStacked: true,
          of: [{ expr: rate(metrics.wastedSlots, { by: ['why'] }), legend: '{{why}}' }],
        }),
        timeSeries({
          title: 'Affinity',
          says: 'Completions sent to the server their game used before, prompt cache hits, and model reloads.',
          unit: 'cps',
          of: [
            { expr: rate(metrics.affinity, { by: ['outcome'], where: model }), legend: 'server: {{outcome}}' },
            { expr: rate(metrics.prefixes, { by: ['outcome'], where: model }), legend: 'prompt: {{outcome}}' },
            { expr: rate(metrics.reloads, { by: ['server'], where: model }), legend: 'reload: {{server}}' },
          ],
        }),
      ],
    },
  ],
};
