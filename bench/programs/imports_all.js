// 25 modules of 20 KB.
import { total_0 as f0 } from '0.js';
import { total_1 as f1 } from '1.js';
import { total_2 as f2 } from '2.js';
import { total_3 as f3 } from '3.js';
import { total_4 as f4 } from '4.js';
import { total_5 as f5 } from '5.js';
import { total_6 as f6 } from '6.js';
import { total_7 as f7 } from '7.js';
import { total_8 as f8 } from '8.js';
import { total_9 as f9 } from '9.js';
import { total_10 as f10 } from '10.js';
import { total_11 as f11 } from '11.js';
import { total_12 as f12 } from '12.js';
import { total_13 as f13 } from '13.js';
import { total_14 as f14 } from '14.js';
import { total_15 as f15 } from '15.js';
import { total_16 as f16 } from '16.js';
import { total_17 as f17 } from '17.js';
import { total_18 as f18 } from '18.js';
import { total_19 as f19 } from '19.js';
import { total_20 as f20 } from '20.js';
import { total_21 as f21 } from '21.js';
import { total_22 as f22 } from '22.js';
import { total_23 as f23 } from '23.js';
import { total_24 as f24 } from '24.js';

async () => f0([]).sum + f24([]).sum
