import type { UsageGroup } from '../client/index.js';
import { number } from './format.js';
import { useAsked } from './hooks.js';
import type { Session } from './session.js';
import { Shown } from './ui.js';

const categories = ['name_inference', 'realtime'] as const;
const days = 30;
const day_ms = 86_400_000;

const amountOf = (groups: ReadonlyArray<UsageGroup>, day: string, category: string): number =>
  groups.find((group) => group.day === day && group.category === category)?.amount ?? 0;

const dayNames = (): ReadonlyArray<string> =>
  Array.from({ length: days }, (_, at) => new Date(Date.now() - (days - 1 - at) * day_ms).toISOString().slice(0, 10));

/** What was spent by day and category, as bars and as their table. */
export const Spending = ({ client, account_id }: Pick<Session, 'client' | 'account_id'>) => {
  const shown = dayNames();
  const asked = useAsked(
    (signal) => client.credits.usage(account_id, { from: shown[0] ?? '', group_by: 'day,category' }, { signal }),
    [account_id],
  );
  return (
    <Shown asked={asked}>
      {({ groups, total }) => {
        const sums = shown.map((day) => categories.reduce((sum, one) => sum + amountOf(groups, day, one), 0));
        const most = Math.max(...sums, 0.000_001);
        return (
          <>
            <svg
              class="chart"
              viewBox={`0 0 ${days * 10} 60`}
              preserveAspectRatio="none"
              role="img"
              aria-label={`Spending in ${days} days; the table below has the figures`}
            >
              {shown.map((day, at) => {
                let base = 60;
                return categories.map((category) => {
                  const height = (amountOf(groups, day, category) / most) * 58;
                  base -= height;
                  return (
                    <rect
                      key={`${day} ${category}`}
                      class={category}
                      x={at * 10 + 1}
                      y={base}
                      width={8}
                      height={height}
                    />
                  );
                });
              })}
            </svg>
            <p>
              {number(total.amount)} credits in {number(total.charges)} charges since {shown[0]}
            </p>
            <details>
              <summary>As a table</summary>
              <table>
                <thead>
                  <tr>
                    <th scope="col">Day</th>
                    <th scope="col">Category</th>
                    <th scope="col">Charges</th>
                    <th scope="col">Credits</th>
                  </tr>
                </thead>
                <tbody>
                  {groups.map(({ day, category, charges, amount }) => (
                    <tr key={`${day} ${category}`}>
                      <td>{day}</td>
                      <td>{category?.replace('_', ' ')}</td>
                      <td class="number">{number(charges)}</td>
                      <td class="number">{number(amount)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </details>
          </>
        );
      }}
    </Shown>
  );
};
