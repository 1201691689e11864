* Lots for two days before demand is known exactly. Alone it is an ordinary program in which demand
* is chosen as well; plan.prefix gives the demand to an opponent.
NAME          plan
ROWS
 N  cost
 L  capacity
 E  stock1
 E  stock2
 L  budget
COLUMNS
    open      cost              10.0   capacity          -7.0
    q1        cost               2.0   capacity           1.0
    q1        stock1             1.0
    q2        cost               2.5   capacity           1.0
    q2        stock2             1.0
    s1        cost               0.5   stock1            -1.0
    s1        stock2             1.0
    s2        cost              0.25   stock2            -1.0
    d1        stock1            -1.0   budget             1.0
    d2        stock2            -1.0   budget             1.0
RHS
    RHS       budget             5.0   cost              -1.0
RANGES
    RNG       budget             5.0
BOUNDS
 BV BND       open
 UI BND       d1                 3.0
 UI BND       d2                 4.0
 UP BND       q1                 6.0
 UP BND       s1                 9.0
 UP BND       q2                 6.0
ENDATA
