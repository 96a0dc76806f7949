// 25 modules of 20 KB, in TypeScript.
import { total_0 as f0 } from '0.ts';
import { total_1 as f1 } from '1.ts';
import { total_2 as f2 } from '2.ts';
import { total_3 as f3 } from '3.ts';
import { total_4 as f4 } from '4.ts';
import { total_5 as f5 } from '5.ts';
import { total_6 as f6 } from '6.ts';
import { total_7 as f7 } from '7.ts';
import { total_8 as f8 } from '8.ts';
import { total_9 as f9 } from '9.ts';
import { total_10 as f10 } from '10.ts';
import { total_11 as f11 } from '11.ts';
import { total_12 as f12 } from '12.ts';
import { total_13 as f13 } from '13.ts';
import { total_14 as f14 } from '14.ts';
import { total_15 as f15 } from '15.ts';
import { total_16 as f16 } from '16.ts';
import { total_17 as f17 } from '17.ts';
import { total_18 as f18 } from '18.ts';
import { total_19 as f19 } from '19.ts';
import { total_20 as f20 } from '20.ts';
import { total_21 as f21 } from '21.ts';
import { total_22 as f22 } from '22.ts';
import { total_23 as f23 } from '23.ts';
import { total_24 as f24 } from '24.ts';

async () => f0([]).sum + f24([]).sum
