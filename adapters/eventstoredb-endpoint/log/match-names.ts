import { serveTasks } from '../../runtime/thread-tasks.js';

/** Names to match against a client's regular expression. */
export interface NamesToMatch {
  readonly regex: string;
  readonly names: ReadonlyArray<string>;
}

/** Returns one flag for each name. */
serveTasks({
  work: ({ regex, names }: NamesToMatch): ReadonlyArray<boolean> => {
    const pattern = new RegExp(regex, 'u');
    return names.map((name) => pattern.test(name));
  },
});
