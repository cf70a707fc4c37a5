/** The command line or the environment cannot be used as given: exit code 2. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage';
}
