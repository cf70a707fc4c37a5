/** How a column is typed in a file. Times are RFC 3339 texts here and timestamps in the file. */
export type ColumnType = 'text' | 'integer' | 'number' | 'boolean' | 'time';

export type Cell = string | number | boolean | null;

export interface Column {
  readonly type: ColumnType;
  /** One sentence for analysts. */
  readonly description: string;
}

/** A table made for analysts: one Parquet file. Names of marts and columns never change their meaning. */
export interface Mart<Name extends string = string> {
  readonly description: string;
  readonly columns: Readonly<Record<Name, Column>>;
}

export type MartRow<Of extends Mart> = Readonly<Record<keyof Of['columns'], Cell>>;

export const text = (description: string): Column => ({ type: 'text', description });
export const integer = (description: string): Column => ({ type: 'integer', description });
export const number = (description: string): Column => ({ type: 'number', description });
export const boolean = (description: string): Column => ({ type: 'boolean', description });
export const time = (description: string): Column => ({ type: 'time', description });
