/**
 * The tables that are stuck now, by phase and by whom they wait for, and for how many milliseconds: the gamemaster writes of each twice a minute.
 * @param filter a stage of the pipeline that leaves some of them
 */
export const stuckTables = (filter = ''): string =>
  `max by (table, phase, awaited) (last_over_time({service_name="gamemaster"} |= "a table is stuck" | json ${filter} | unwrap lateMs [1m]))`.replace(
    '  ',
    ' ',
  );
