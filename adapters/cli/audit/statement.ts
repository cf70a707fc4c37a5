import { type Command, InvalidArgumentError, Option } from 'commander';
import { readStream } from '../../../application/audit/select-events.js';
import type { LedgerEntry } from '../../../projections/credit-views.js';
import { statementOf } from '../../../projections/audit/statement.js';
import { columns, paint } from './paint.js';
import { type AuditNeeds, type CommonOptions, onLog, withLog } from './source.js';

const month = (text: string): string => {
  if (/^\d{4}-(?:0[1-9]|1[0-2])$/.test(text)) return text;
  throw new InvalidArgumentError('It must be a month as in 2026-01.');
};

const purpose = ({ run_id, session_id, audio_id }: LedgerEntry): string => {
  if (run_id !== null) return `run ${run_id}${audio_id === null ? '' : `, audio ${audio_id}`}`;
  return session_id === null ? '' : `session ${session_id}`;
};

const head = ['time', 'kind', 'amount', 'balance', 'for', 'request', 'reason'];

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
        const { bold } = paint(needs.isTerminal);
        const { entries, subtotals, opening_balance, closing_balance } = statement;
        needs.print(bold(`Statement of ${account} for ${options.month}`));
        const rows = entries.map((entry) => {
          const { at, kind, amount, balance_after, request_id, reason } = entry;
          return [at, kind, amount, balance_after, purpose(entry), `request ${request_id}`, reason];
        });
        needs.print(`Opening balance ${opening_balance}`);
        columns(rows.length === 0 ? [] : [head, ...rows]).forEach((line) => needs.print(line));
        columns(
          subtotals.map(({ category, entries: count, amount }) => [`  ${category}`, String(count), amount]),
        ).forEach((line) => needs.print(line));
        needs.print(bold(`Closing balance ${closing_balance}`));
      }),
    );
