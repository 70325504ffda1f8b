import type { Random } from '../../random.ts';
import type { OtherColumn, TableField } from '../../truth.ts';
import type { GridColumn } from './screen-grid.ts';

export type DrugColumn = GridColumn & { readonly kind: TableField | OtherColumn | 'issue' | 'own' };

export function claimColumns(random: Random): DrugColumn[] {
  const priced = random.chance(0.2);
  const columns: DrugColumn[] = [
    { kind: 'serial', header: random.pick(['줄번호', '줄\n번호', 'No']), width: 3, align: 'center' },
    {
      kind: 'issue',
      header: random.pick(['처방전교부번호', '교부번호', '처방전\n교부번호']),
      width: 8,
      align: 'center',
    },
    { kind: 'spec', header: random.pick(['처방\n일수', '처방일수']), width: 3, align: 'right' },
    { kind: 'category', header: '구분', width: 2.4, align: 'center' },
    {
      kind: 'drugCode',
      header: random.pick(['코드', '약품코드', '청구코드']),
      width: 6,
      align: random.pick(['left', 'center']),
    },
    { kind: 'drugName', header: random.pick(['명칭', '약품명', '처방명']), width: 26, align: 'left' },
    { kind: 'unitPrice', header: '단가', width: 4.5, align: 'right' },
    { kind: 'quantity', header: random.pick(['1회투약량', '1회\n투약량', '1회량']), width: 4.6, align: 'right' },
    {
      kind: 'timesPerDay',
      header: random.pick(['1일투여\n횟수', '1일\n횟수', '투여횟수']),
      width: 3.8,
      align: 'right',
    },
    { kind: 'days', header: random.pick(['총투약\n일수', '총투여일', '총\n일수']), width: 3.4, align: 'right' },
    { kind: 'totalAmount', header: '금액', width: 5.5, align: 'right' },
    { kind: 'note', header: random.pick(['본인부담\n코드', '비고', '예외']), width: 4, align: 'center' },
  ];
  const dropped = new Set<DrugColumn['kind']>(priced ? ['issue', 'spec'] : ['unitPrice', 'totalAmount']);
  for (const kind of ['serial', 'issue', 'spec', 'category', 'note'] as const)
    if (random.chance(0.25)) dropped.add(kind);
  return columns.filter(({ kind }) => !dropped.has(kind));
}

export function orderColumns(random: Random): DrugColumn[] {
  const columns: DrugColumn[] = [
    { kind: 'serial', header: random.pick(['순', 'No', '']), width: 2.2, align: 'center' },
    { kind: 'category', header: random.pick(['구분', '유형']), width: 3, align: 'center' },
    { kind: 'own', header: random.pick(['사용자코드', '약속코드', '처방코드']), width: 5, align: 'left' },
    { kind: 'drugCode', header: random.pick(['청구코드', '보험코드', 'EDI코드']), width: 6.2, align: 'left' },
    { kind: 'drugName', header: random.pick(['처방명', '처방명칭', '오더명', '명칭']), width: 24, align: 'left' },
    { kind: 'quantity', header: random.pick(['용량', '1회량', '투여량', '1회투여량']), width: 4, align: 'right' },
    { kind: 'timesPerDay', header: random.pick(['횟수', '일투']), width: 3, align: 'right' },
    { kind: 'days', header: random.pick(['일수', '투여일수']), width: 3, align: 'right' },
    { kind: 'usage', header: '용법', width: 4.5, align: 'left' },
    { kind: 'note', header: random.pick(['원외', '예외', '급여']), width: 3, align: 'center' },
  ];
  const dropped = new Set<DrugColumn['kind']>();
  for (const kind of ['serial', 'category', 'own', 'usage', 'note'] as const)
    if (random.chance(0.35)) dropped.add(kind);
  return columns.filter(({ kind }) => !dropped.has(kind));
}
