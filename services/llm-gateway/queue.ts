/** Something that stands in the line, known by its id. */
export interface Waiting {
  readonly id: string;
}

/** The waiting line: in which order those who wait are served. It knows no clock and no servers; another order is another `Line`. */
export interface Line<Job extends Waiting> {
  /** @throws Error when one of this id stands in it already */
  add(job: Job): void;
  /** Takes the one whose turn it is among those that can be served now, out of the line. */
  next(isEligible: (job: Job) => boolean): Job | undefined;
  /** Takes this one out of the line; undefined when it is not in it. */
  remove(id: string): Job | undefined;
  readonly size: number;
}

/** First come, first served; who cannot be served now does not hold up those behind. */
export function fifo<Job extends Waiting>(): Line<Job> {
  const jobs = new Map<string, Job>();
  const remove = (id: string): Job | undefined => {
    const job = jobs.get(id);
    jobs.delete(id);
    return job;
  };
  return {
    add(job) {
      if (jobs.has(job.id)) throw new Error(`${job.id} stands in the line already`);
      jobs.set(job.id, job);
    },
    next(isEligible) {
      for (const job of jobs.values()) if (isEligible(job)) return remove(job.id);
      return undefined;
    },
    remove,
    get size() {
      return jobs.size;
    },
  };
}
