import { type Command, InvalidArgumentError, Option } from 'commander';
import { readStream } from '../../../application/audit/read-log.js';
import type { LedgerEntry } from '../../../projections/credit-views.js';
import { statementOf } from '../../../projections/audit/statement.js';
import { columns, labelled, paint } from '../terminal.js';
import { type AuditNeeds, type CommonOptions, onLog, withLog } from './source.js';

const month = (text: string): string => {
  if (/^\d{4}-(?:0[1-9]|1[0-2])$/.test(text)) return text;
  throw new InvalidArgumentError('It must be a month as in 2026-01.');
};

/** What an entry was booked for and by: ids, which would be wide columns. */
const origin = ({ run_id, session_id, audio_id, request_id }: LedgerEntry): string =>
  Object.entries({ run: run_id, audio: audio_id, session: session_id, request: request_id })
    .flatMap(([name, id]) => (id === null ? [] : [`${name} ${id}`]))
    .join(', ');

/** `audit statement <account>`: the billing statement for a month. */
export const statementCommand = (needs: AuditNeeds): Command =>
  onLog('statement', 'the billing statement of an account for a month, in UTC')
    .argument('<account>')
    .addOption(new Option('--month <YYYY-MM>', 'the month').argParser(month).makeOptionMandatory())
    .action((account: string, options: CommonOptions & { readonly month: string }) =>
      withLog(needs, options, async ({ store }) => {
        const booked = await readStream(store, `creditAccount-${account}`);
        if (booked.length === 0 && (await readStream(store, `account-${account}`)).length === 0)
          throw new Error(`there is no account ${account}`);
        const statement = statementOf(account, options.month, booked);
        if (options.json === true) return needs.print(JSON.stringify(statement));
        const { bold, dim } = paint(needs.stdout);
        const { entries, subtotals, opening_balance, closing_balance } = statement;
        needs.print(bold(`Statement of ${account} for ${options.month}`));
        needs.print(`Opening balance ${opening_balance}`);
        const rows = entries.map(({ at, kind, amount, balance_after, reason }) => [
          at,
          kind,
          amount,
          balance_after,
          reason,
        ]);
        const [names, ...lines] = labelled(['time', 'kind', 'amount', 'balance', 'reason'], rows);
        if (names !== undefined) needs.print(names);
        entries.forEach((entry, index) => {
          needs.print(lines[index] ?? '');
          needs.print(dim(`    ${origin(entry)}`));
        });
        columns(
          subtotals.map(({ category, entries: count, amount }) => [`  ${category}`, String(count), amount]),
        ).forEach((line) => needs.print(line));
        needs.print(bold(`Closing balance ${closing_balance}`));
      }),
    );
