import { expect, it } from 'vitest';
import { namedClass } from '../../../functions/workflows/domain/effects/named-class.ts';

const classes = [
  { id: '1', name: 'Billing', description: '' },
  { id: '2', name: 'Delivery', description: '' },
  { id: '3', name: 'Late delivery', description: '' },
  { id: '4', name: '배송', description: '' },
];

it.each([
  ['2', '2'],
  ['"Billing".', '1'],
  ['I think it is Delivery.', '2'],
  ['I think it is 3.', '3'],
  ['A late delivery, I would say.', '3'],
  ['```json\n{"category_id": "2", "category_name": "Delivery"}\n```', '2'],
  ['{"class_name": "billing"}', '1'],
  ['<think>Billing? No.</think>Delivery', '2'],
  ['<think>Billing, or', null],
  ['이것은 배송입니다.', '4'],
  ['Billing or delivery', null],
  ['Rebilling', null],
  ['None of them', null],
])('%j names %j', (answer, id) => {
  expect(namedClass(answer, classes)?.id ?? null).toBe(id);
});
