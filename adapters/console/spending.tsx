import type { UsageGroup } from '../client/index.js';
import { day as formatDay, number } from './format.js';
import { useQuery } from './hooks.js';
import type { OfAccount } from './session.js';
import { Loaded } from './ui.js';

const categories = { name_inference: 'name inference', realtime: 'realtime' } as const;
type Category = keyof typeof categories;
const names: ReadonlyArray<Category> = ['name_inference', 'realtime'];
const days = 30;
const day_ms = 86_400_000;

const amountOf = (groups: ReadonlyArray<UsageGroup>, day: string, category: Category): number =>
  groups.find((group) => group.day === day && group.category === category)?.amount ?? 0;

const lastDays = (): ReadonlyArray<string> =>
  Array.from({ length: days }, (_, at) => new Date(Date.now() - (days - 1 - at) * day_ms).toISOString().slice(0, 10));

interface Props {
  readonly groups: ReadonlyArray<UsageGroup>;
  readonly shown: ReadonlyArray<string>;
}

const Bars = ({ groups, shown }: Props) => {
  const sums = shown.map((day) => names.reduce((sum, one) => sum + amountOf(groups, day, one), 0));
  const most = Math.max(...sums, 0.000_001);
  const bar = (day: string, at: number) => {
    let base = 60;
    return names.map((category) => {
      const height = (amountOf(groups, day, category) / most) * 58;
      base -= height;
      return <rect key={`${day} ${category}`} class={category} x={at * 10 + 1} y={base} width={8} height={height} />;
    });
  };
  return (
    <figure class="chart">
      <figcaption>
        <span>Highest day: {number(most)} credits</span>
        {names.map((category) => (
          <span key={category} class={category}>
            {categories[category]}
          </span>
        ))}
      </figcaption>
      <svg
        viewBox={`0 0 ${days * 10} 60`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Credits spent on each of the last ${days} days; the table below lists the amounts`}
      >
        {shown.map(bar)}
      </svg>
      <div class="ends quiet">
        <span>{formatDay(shown[0] ?? '')}</span>
        <span>{formatDay(shown.at(-1) ?? '')}</span>
      </div>
    </figure>
  );
};

const Figures = ({ groups }: Pick<Props, 'groups'>) => (
  <details>
    <summary>Show as a table</summary>
    <table>
      <thead>
        <tr>
          <th scope="col">Day (UTC)</th>
          <th scope="col">Category</th>
          <th scope="col" class="number">
            Charges
          </th>
          <th scope="col" class="number">
            Credits
          </th>
        </tr>
      </thead>
      <tbody>
        {groups.map(({ day = '', category, charges, amount }) => (
          <tr key={`${day} ${category}`}>
            <td>{formatDay(day)}</td>
            <td>{category?.replace('_', ' ')}</td>
            <td class="number">{number(charges)}</td>
            <td class="number">{number(amount)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </details>
);

/** Spending by day and category, as a bar chart and as a table. */
export const Spending = ({ client, account_id, version }: OfAccount) => {
  const shown = lastDays();
  const query = useQuery(
    (signal) => client.credits.usage(account_id, { from: shown[0] ?? '', group_by: 'day,category' }, { signal }),
    [account_id, version],
  );
  return (
    <Loaded query={query}>
      {({ groups, total }) =>
        total.charges === 0 ? (
          <p class="quiet">No credits were spent in the last {number(days)} days.</p>
        ) : (
          <>
            <Bars groups={groups} shown={shown} />
            <p>
              {number(total.amount)} credits in {number(total.charges)} {total.charges === 1 ? 'charge' : 'charges'}
            </p>
            <Figures groups={groups} />
          </>
        )
      }
    </Loaded>
  );
};
